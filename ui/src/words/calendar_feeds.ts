// Words of the feeds that calendar programs read.
export const calendarFeeds = {
  title: ["Calendar feeds", "Kalender-Abos", "Flux de calendrier", "Suscripciones de calendario"],
  text: [
    "A calendar program reads milestones or your tasks at a secret address. It shows what you may see at that moment.",
    "Ein Kalenderprogramm liest Meilensteine oder Ihre Aufgaben unter einer geheimen Adresse. Es zeigt, was Sie in diesem Moment sehen dürfen.",
    "Un programme de calendrier lit des jalons ou vos tâches à une adresse secrète. Il montre ce que vous pouvez voir à ce moment.",
    "Un programa de calendario lee hitos o sus tareas en una dirección secreta. Muestra lo que usted puede ver en ese momento.",
  ],
  shown: [
    "Copy the address into your calendar program now. It is never shown again. Whoever has it can read the feed.",
    "Jetzt die Adresse ins Kalenderprogramm kopieren. Sie wird nie wieder gezeigt. Wer sie hat, kann das Abo lesen.",
    "Copiez l’adresse dans votre programme de calendrier maintenant, elle ne sera plus montrée. Qui la possède peut lire le flux.",
    "Copie la dirección en su programa de calendario ahora, no se mostrará de nuevo. Quien la tenga puede leer la suscripción.",
  ],
  open: [
    "Open in a calendar program",
    "In einem Kalenderprogramm öffnen",
    "Ouvrir dans un programme de calendrier",
    "Abrir en un programa de calendario",
  ],
  none: ["No feed yet.", "Noch kein Abo.", "Pas encore de flux.", "Todavía no hay suscripciones."],
  shows: ["It shows", "Es zeigt", "Il montre", "Muestra"],
  my_tasks: ["My tasks", "Meine Aufgaben", "Mes tâches", "Mis tareas"],
  milestones: ["Milestones", "Meilensteine", "Jalons", "Hitos"],
  ofProgram: ["Milestones of a program", "Meilensteine eines Programms", "Jalons d’un programme", "Hitos de un programa"],
  ofProject: ["Milestones of a project", "Meilensteine eines Projekts", "Jalons d’un projet", "Hitos de un proyecto"],
  name: ["Name (optional)", "Name (freiwillig)", "Nom (facultatif)", "Nombre (opcional)"],
  withDone: ["Show what is done, too", "Auch Erledigtes zeigen", "Montrer aussi ce qui est terminé", "Mostrar también lo terminado"],
  done: ["with what is done", "mit Erledigtem", "avec ce qui est terminé", "con lo terminado"],
  make: ["Make a feed", "Abo anlegen", "Créer un flux", "Crear una suscripción"],
  revokeAsk: [
    "Calendar programs with “{name}” show nothing new any more.",
    "Kalenderprogramme mit „{name}“ zeigen nichts Neues mehr.",
    "Les programmes de calendrier avec « {name} » ne montreront plus rien de nouveau.",
    "Los programas de calendario con «{name}» ya no mostrarán nada nuevo.",
  ],
} as const;
