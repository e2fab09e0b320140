// The palette: rows of all projects, projects and commands, found while a person types.
export default function Palette() {
  return null;
}
