// The first page: programs with their projects, and what an empty house offers: samples, an import, a new project.
import { allPages, api, ok, type Schemas } from "../api/client";
import { me } from "../api/me";
import { useRead } from "../api/read";
import { Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { place, setQuery } from "../app/router";
import { useTitle } from "../app/title";
import { home, shell } from "../words/shell";
import { templates } from "../words/templates";
import { t } from "../words/words";
import { NewProject } from "./new_project";
import { ProjectCard } from "./project_card";
import { Samples } from "./samples";
import "./projects.css";

type Project = Schemas["Project"];
type Program = Schemas["Program"];

async function readHouse(): Promise<{ programs: Program[]; projects: Project[] }> {
  const [programs, projects] = await Promise.all([
    allPages(200, (page) => ok(api.GET("/api/v1/programs/", { params: { query: { page: String(page), page_size: 200 } } }))),
    allPages(200, (page) => ok(api.GET("/api/v1/projects/", { params: { query: { page: String(page), page_size: 200 } } }))),
  ]);
  return { programs, projects };
}

export default function Home() {
  useTitle(t(shell.home));
  const read = useRead(readHouse, []);
  // The palette opens the dialog from every page.
  const making = place.value.query.get("new") === "project";
  const empty = read.data !== null && read.data.projects.length === 0;
  return (
    <div class="page">
      <div class="page-in">
        <header class="row wrap">
          <h1 class="grow">{t(home.greeting, { name: me.value?.display_name || me.value?.username || "" })}</h1>
          <a class="button" href="/import">
            <Icon name="upload" /> {t(home.importFile)}
          </a>
          <a class="button" href="/templates">
            <Icon name="template" /> {t(templates.title)}
          </a>
          <button type="button" class="button primary" onClick={() => setQuery({ new: "project" })}>
            <Icon name="plus" /> {t(home.newProject)}
          </button>
        </header>
        {empty && (
          <section class="card stack welcome">
            <h2>{t(home.emptyTitle)}</h2>
            <p class="quiet">{t(home.emptyText)}</p>
          </section>
        )}
        {empty && <Samples />}
        <Shown read={read}>{(house) => <House house={house} />}</Shown>
        {read.data && !empty && <Samples />}
        {making && <NewProject programs={read.data?.programs ?? []} close={() => setQuery({ new: null })} />}
      </div>
    </div>
  );
}

function House({ house }: { house: { programs: Program[]; projects: Project[] } }) {
  const loose = house.projects.filter((project) => !house.programs.some((program) => program.id === project.program));
  return (
    <>
      {house.programs.map((program) => (
        <section key={program.id} class="stack">
          <div class="row">
            <span class="program-mark" style={{ background: program.color || "var(--accent)" }} />
            <h2 class="clip">
              <a class="plain-link" href={`/programs/${program.id}`}>
                {program.name}
              </a>
            </h2>
            <span class="quiet small">{t(home.projectCount, { n: program.project_count })}</span>
            {program.is_sample && <span class="chip">{t(home.sample)}</span>}
          </div>
          <div class="cards">
            {house.projects
              .filter((project) => project.program === program.id)
              .map((project) => (
                <ProjectCard key={project.id} project={project} />
              ))}
          </div>
        </section>
      ))}
      {loose.length > 0 && (
        <section class="stack">
          <h2>{t(home.noProgram)}</h2>
          <div class="cards">
            {loose.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}
