// The start of the application: theme, router, session, then the sign-in page or the shell.
import { render } from "preact";
import "./app/tokens.css";
import "./app/base.css";
import "./app/shell.css";
import { resume } from "./api/me";
import { sessionState } from "./api/session";
import { startKeys } from "./app/keys";
import { preload } from "./app/page";
import { place, startRouter } from "./app/router";
import { Shell } from "./app/shell";
import { startTheme } from "./app/theme";
import { Toasts } from "./app/toast";
import { SignIn } from "./sign_in/sign_in";
import { language } from "./words/words";

function App() {
  document.documentElement.lang = language.value === "pseudo" ? "en" : language.value;
  return (
    <>
      {sessionState.value === "in" && <Shell />}
      {sessionState.value === "out" && <SignIn />}
      <Toasts />
    </>
  );
}

startTheme();
preload(place.value.path);
startRouter();
startKeys();
void resume();
render(<App />, document.getElementById("app")!);
