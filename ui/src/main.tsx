// The start of the application: theme, router, session, then the sign-in page or the shell.
import { render } from "preact";
import "./app/tokens.css";
import "./app/base.css";
import "./app/parts.css";
import "./app/shell.css";
import { gate } from "./api/gate";
import { house, resume } from "./api/me";
import { ended, sessionState } from "./api/session";
import { startFocus } from "./app/focus";
import { startKeys } from "./app/keys";
import { lazy } from "./app/lazy";
import { isPage, preload } from "./app/page";
import { Lost } from "./app/lost";
import { place, startRouter } from "./app/router";
import { Shell } from "./app/shell";
import { startTheme } from "./app/theme";
import { Toasts } from "./app/toast";
import { SignIn } from "./sign_in/sign_in";
import { language } from "./words/words";

const Gate = lazy(() => import("./sign_in/gate"));

function App() {
  document.documentElement.lang = language.value === "pseudo" ? "en" : language.value;
  return (
    <>
      {(sessionState.value === "in" || ended.value === "elsewhere") && <Shell key={house.value} />}
      {sessionState.value === "in" && gate.value !== "open" && <Gate />}
      {sessionState.value === "out" && (isPage(place.value.path) ? <SignIn /> : <Lost />)}
      <Toasts />
    </>
  );
}

startTheme();
preload(place.value.path);
startRouter();
startKeys();
startFocus();
void resume();
render(<App />, document.getElementById("app")!);
