// What the server tells people: the titles of all kinds, and its sentences as it says them in English.
import type { Message } from "./words";

export const titles: readonly Message[] = [
  ["You were mentioned", "Sie wurden erwähnt", "Vous avez été mentionné", "Alguien le ha mencionado"],
  ["Your group was mentioned", "Ihre Gruppe wurde erwähnt", "Votre groupe a été mentionné", "Alguien ha mencionado a su grupo"],
  ["A task was assigned to you", "Ihnen wurde eine Aufgabe zugewiesen", "Une tâche vous a été affectée", "Se le ha asignado una tarea"],
  [
    "The dates of your task have changed",
    "Die Termine Ihrer Aufgabe haben sich geändert",
    "Les dates de votre tâche ont changé",
    "Las fechas de su tarea han cambiado",
  ],
  ["There is a comment on your task", "Ihre Aufgabe hat einen Kommentar", "Votre tâche a un commentaire", "Su tarea tiene un comentario"],
  ["A task is blocked", "Eine Aufgabe ist blockiert", "Une tâche est bloquée", "Una tarea está bloqueada"],
  [
    "The forecast of a milestone has shifted",
    "Die Prognose eines Meilensteins hat sich verschoben",
    "La prévision d’un jalon a changé",
    "La previsión de un hito ha cambiado",
  ],
  [
    "A task of a running sprint was rescheduled",
    "Eine Aufgabe des laufenden Sprints wurde verschoben",
    "Une tâche du sprint en cours a été déplacée",
    "Se ha movido una tarea del sprint en curso",
  ],
  ["Your vote is needed", "Ihre Stimme wird gebraucht", "Votre vote est attendu", "Se necesita su voto"],
  [
    "A vote of your team is over",
    "Eine Abstimmung Ihres Teams ist zu Ende",
    "Un vote de votre équipe est terminé",
    "Una votación de su equipo ha terminado",
  ],
  ["A project was deleted", "Ein Projekt wurde gelöscht", "Un projet a été supprimé", "Se ha eliminado un proyecto"],
  [
    "Nothing has changed for some time",
    "Seit einiger Zeit hat sich nichts geändert",
    "Rien n’a changé depuis quelque temps",
    "Nada ha cambiado desde hace tiempo",
  ],
  [
    "Your task is in another sprint",
    "Ihre Aufgabe ist in einem anderen Sprint",
    "Votre tâche est dans un autre sprint",
    "Su tarea está en otro sprint",
  ],
  [
    "The tasks of a running sprint have changed",
    "Die Aufgaben des laufenden Sprints haben sich geändert",
    "Les tâches du sprint en cours ont changé",
    "Las tareas del sprint en curso han cambiado",
  ],
  [
    "The end of a project has shifted",
    "Das Ende eines Projekts hat sich verschoben",
    "La fin d’un projet a changé",
    "El fin de un proyecto ha cambiado",
  ],
  ["The plan was committed", "Der Plan wurde zugesagt", "Le plan a été engagé", "El plan se ha comprometido"],
  ["The health of a program", "Der Stand eines Programms", "L’état d’un programme", "El estado de un programa"],
  [
    "Who has more work than time",
    "Wer mehr Arbeit als Zeit hat",
    "Qui a plus de travail que de temps",
    "Quién tiene más trabajo que tiempo",
  ],
];

export const notices: readonly Message[] = [
  [
    "{who} mentioned you in a comment.",
    "{who} hat Sie in einem Kommentar erwähnt.",
    "{who} vous a mentionné dans un commentaire.",
    "{who} le ha mencionado en un comentario.",
  ],
  [
    "{who} mentioned a group in which you are.",
    "{who} hat eine Gruppe erwähnt, zu der Sie gehören.",
    "{who} a mentionné un groupe dont vous faites partie.",
    "{who} ha mencionado un grupo al que pertenece.",
  ],
  [
    "{who} assigned the task to you.",
    "{who} hat Ihnen die Aufgabe zugewiesen.",
    "{who} vous a affecté la tâche.",
    "{who} le ha asignado la tarea.",
  ],
  [
    "{who} changed the dates of the task.",
    "{who} hat die Termine der Aufgabe geändert.",
    "{who} a changé les dates de la tâche.",
    "{who} ha cambiado las fechas de la tarea.",
  ],
  ["{who} wrote a comment.", "{who} hat einen Kommentar geschrieben.", "{who} a écrit un commentaire.", "{who} ha escrito un comentario."],
  [
    "{who} noted that the task is blocked.",
    "{who} hat vermerkt, dass die Aufgabe blockiert ist.",
    "{who} a noté que la tâche est bloquée.",
    "{who} ha anotado que la tarea está bloqueada.",
  ],
  [
    "The close of a sprint has changed the forecast of the milestone.",
    "Das Ende eines Sprints hat die Prognose des Meilensteins geändert.",
    "La clôture d’un sprint a changé la prévision du jalon.",
    "El cierre de un sprint ha cambiado la previsión del hito.",
  ],
  [
    "{who} proposes to show a figure of the team to more people. Vote on it.",
    "{who} schlägt vor, eine Kennzahl des Teams mehr Menschen zu zeigen. Stimmen Sie ab.",
    "{who} propose de montrer un chiffre de l’équipe à plus de personnes. Votez.",
    "{who} propone mostrar una cifra del equipo a más personas. Vote.",
  ],
  [
    "It is decided who may see a figure of the team.",
    "Es ist entschieden, wer eine Kennzahl des Teams sehen darf.",
    "Il est décidé qui peut voir un chiffre de l’équipe.",
    "Está decidido quién puede ver una cifra del equipo.",
  ],
  ["{who} deleted the project.", "{who} hat das Projekt gelöscht.", "{who} a supprimé le projet.", "{who} ha eliminado el proyecto."],
  [
    "The project ends on {day}. You were told {before}.",
    "Das Projekt endet am {day}. Ihnen wurde der {before} genannt.",
    "Le projet finit le {day}. On vous avait annoncé le {before}.",
    "El proyecto termina el {day}. Se le había dicho el {before}.",
  ],
  [
    "{who} committed the plan. Its baseline has the dates that count now.",
    "{who} hat den Plan zugesagt. Sein Basisplan hat die Termine, die jetzt gelten.",
    "{who} a engagé le plan. Sa référence contient les dates qui comptent désormais.",
    "{who} ha comprometido el plan. Su línea base tiene las fechas que cuentan ahora.",
  ],
  [
    "{who} moved the task from {old} to {new}.",
    "{who} hat die Aufgabe von {old} nach {new} verschoben.",
    "{who} a déplacé la tâche de {old} vers {new}.",
    "{who} ha movido la tarea de {old} a {new}.",
  ],
  [
    "{who} put the task into {new}.",
    "{who} hat die Aufgabe in {new} aufgenommen.",
    "{who} a mis la tâche dans {new}.",
    "{who} ha puesto la tarea en {new}.",
  ],
  [
    "{who} took the task out of {old}.",
    "{who} hat die Aufgabe aus {old} genommen.",
    "{who} a retiré la tâche de {old}.",
    "{who} ha sacado la tarea de {old}.",
  ],
  [
    "The task is in progress, and nothing has changed for {days} days or more.",
    "Die Aufgabe ist in Arbeit, und seit {days} Tagen oder länger hat sich nichts geändert.",
    "La tâche est en cours et rien n’a changé depuis {days} jours ou plus.",
    "La tarea está en curso y nada ha cambiado desde hace {days} días o más.",
  ],
  [
    "{said} The last project ends on {day}.",
    "{said} Das letzte Projekt endet am {day}.",
    "{said} Le dernier projet finit le {day}.",
    "{said} El último proyecto termina el {day}.",
  ],
  [
    "{projects}: {fine} on track, {risky} at risk, {critical} critical. {late} late.",
    "{projects}: {fine} im Plan, {risky} gefährdet, {critical} kritisch. {late} verspätet.",
    "{projects} : {fine} dans les temps, {risky} à risque, {critical} critiques. {late} en retard.",
    "{projects}: {fine} en plazo, {risky} en riesgo, {critical} críticos. {late} con retraso.",
  ],
  [
    "In the next four weeks these have more work than time: {names} and {more} more.",
    "In den nächsten vier Wochen haben diese mehr Arbeit als Zeit: {names} und {more} weitere.",
    "Dans les quatre prochaines semaines, plus de travail que de temps pour : {names} et {more} autres.",
    "En las próximas cuatro semanas tienen más trabajo que tiempo: {names} y {more} más.",
  ],
  [
    "In the next four weeks these have more work than time: {names}.",
    "In den nächsten vier Wochen haben diese mehr Arbeit als Zeit: {names}.",
    "Dans les quatre prochaines semaines, plus de travail que de temps pour : {names}.",
    "En las próximas cuatro semanas tienen más trabajo que tiempo: {names}.",
  ],
];

/** Numbers inside of a sentence. */
export const counts = {
  projects: ["{n} project | {n} projects", "{n} Projekt | {n} Projekte", "{n} projet | {n} projets", "{n} proyecto | {n} proyectos"],
  late: [
    "{n} task is | {n} tasks are",
    "{n} Aufgabe ist | {n} Aufgaben sind",
    "{n} tâche est | {n} tâches sont",
    "{n} tarea está | {n} tareas están",
  ],
  somebody: ["Somebody", "Jemand", "Quelqu’un", "Alguien"],
} as const satisfies Record<string, Message>;
