// The bar of a project with its pages; every page of a project stands inside.
import type { ComponentChildren } from "preact";
import { api, ok, type Schemas } from "../api/client";
import { isMissing, type Read, useRead } from "../api/read";
import { Failure } from "../app/failure";
import { Icon } from "../app/icons";
import { useCurrentInSight } from "../app/in_sight";
import { Lost } from "../app/lost";
import { place } from "../app/router";
import { useTitle } from "../app/title";
import { home, shell } from "../words/shell";
import { t } from "../words/words";
import { Here } from "./rights";
import { tabsOf } from "./tabs";
import "./projects.css";

export type ProjectDetail = Schemas["ProjectDetail"];

export function useProject(id: string): Read<ProjectDetail> {
  return useRead(() => ok(api.GET("/api/v1/projects/{id}/", { params: { path: { id } } })), [id]);
}

export function ProjectFrame({
  id,
  project,
  children,
  actions,
}: {
  id: string;
  project: Read<ProjectDetail>;
  children: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const detail = project.data;
  const missing = isMissing(project);
  const pages = tabsOf(detail);
  const page = pages.find(([path]) => place.value.path === `/projects/${id}/${path}`);
  useTitle(missing ? null : t(page?.[2] ?? shell.settings), detail?.name);
  const tabs = useCurrentInSight<HTMLElement>(place.value.path);
  const program = detail?.program_detail as { id?: string; name?: string } | null | undefined;
  if (missing) return <Lost />;
  return (
    <Here.Provider value={detail}>
      <div class="project-frame">
        <header class="bar">
          <div class="crumb">
            <span class="small clip">
              {program?.id ? (
                <a class="plain-link" href={`/programs/${program.id}`}>
                  {program.name}
                </a>
              ) : (
                <a class="plain-link" href="/">
                  {t(shell.home)}
                </a>
              )}
            </span>
            <h1 class="clip">
              {detail?.name ?? "…"}
              {detail?.is_archived && (
                <>
                  {" "}
                  <span class="chip warn">{t(home.archived)}</span>
                </>
              )}
            </h1>
          </div>
          <nav ref={tabs} class="bar-tabs grow" aria-label={t(shell.pages)}>
            {pages.map(([path, icon, name]) => {
              const to = `/projects/${id}/${path}`;
              return (
                <a key={path} href={to} aria-current={place.value.path === to ? "page" : undefined}>
                  <Icon name={icon} /> {t(name)}
                </a>
              );
            })}
          </nav>
          {actions}
          <a class="icon" href={`/projects/${id}/settings`} aria-label={t(shell.settings)} title={t(shell.settings)}>
            <Icon name="gear" />
          </a>
        </header>
        {project.error && <Failure error={project.error} retry={project.retry} stale={detail !== null} />}
        <div class="project-content">{children}</div>
      </div>
    </Here.Provider>
  );
}
