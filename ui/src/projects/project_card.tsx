// A project as a card: its name, how far it is, and what is late.
import type { Schemas } from "../api/client";
import { home } from "../words/shell";
import { t } from "../words/words";

export function ProjectCard({ project }: { project: Schemas["Project"] }) {
  const percent = Math.round(project.percent_complete ?? 0);
  return (
    <a class="card project-card" href={`/projects/${project.id}/schedule`}>
      <div class="row">
        <h3 class="grow clip">{project.name}</h3>
        {project.code && <span class="chip">{project.code}</span>}
      </div>
      {project.description && <p class="quiet small two-lines">{project.description}</p>}
      <div class="bar-fill" role="img" aria-label={t(home.complete, { n: percent })}>
        <div style={{ width: `${percent}%` }} />
      </div>
      <div class="row wrap small quiet">
        <span class="num">{t(home.complete, { n: percent })}</span>
        <span class="grow num">{t(home.openTasks, { n: project.open_task_count ?? 0 })}</span>
        {project.lifecycle === "draft" && <span class="chip info">{t(home.draft)}</span>}
        {project.is_archived && <span class="chip">{t(home.archived)}</span>}
        {(project.overdue_count ?? 0) > 0 && <span class="chip bad num">{t(home.overdue, { n: project.overdue_count! })}</span>}
        {(project.at_risk_count ?? 0) > 0 && <span class="chip warn num">{t(home.atRisk, { n: project.at_risk_count! })}</span>}
      </div>
    </a>
  );
}
