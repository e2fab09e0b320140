//! The texts of the page that ends a kind of mail, in every language. Letters and the list of notifications are in English.

use planwright_domain::words::NotificationKind;
use planwright_web::language::Words;

pub(crate) const ASK: Words = Words([
    "No more mails of this kind?",
    "Keine Mails dieser Art mehr?",
    "Plus d’e-mails de ce genre\u{a0}?",
    "¿No más correos de este tipo?",
]);
/// With the title of the kind.
pub(crate) const ASK_ABOUT: Words = Words([
    "They are the mails about: {}.",
    "Es sind die Mails mit dem Betreff: {}.",
    "Ce sont les e-mails sur ce sujet\u{a0}: {}.",
    "Son los correos sobre este asunto: {}.",
]);
pub(crate) const END: Words =
    Words(["Get no more of them", "Keine mehr bekommen", "Ne plus en recevoir", "No recibir más"]);
pub(crate) const ENDED: Words = Words([
    "You get no more of these mails",
    "Sie bekommen keine dieser Mails mehr",
    "Vous ne recevrez plus ces e-mails",
    "Ya no recibirá estos correos",
]);
/// With the title of the kind.
pub(crate) const ENDED_ABOUT: Words = Words([
    "They were the mails about: {}.",
    "Es waren die Mails mit dem Betreff: {}.",
    "C’étaient les e-mails sur ce sujet\u{a0}: {}.",
    "Eran los correos sobre este asunto: {}.",
]);
pub(crate) const AGAIN: Words = Words([
    "The preferences of notifications turn them on again.",
    "In den Einstellungen der Benachrichtigungen schalten Sie sie wieder ein.",
    "Les préférences de notification permettent de les réactiver.",
    "En las preferencias de notificaciones se activan de nuevo.",
]);

/// The titles of all kinds, in their order.
const TITLES: [Words; 18] = [
    Words([
        "You were mentioned",
        "Sie wurden erwähnt",
        "Vous avez été mentionné",
        "Alguien le ha mencionado",
    ]),
    Words([
        "Your group was mentioned",
        "Ihre Gruppe wurde erwähnt",
        "Votre groupe a été mentionné",
        "Alguien ha mencionado a su grupo",
    ]),
    Words([
        "A task was assigned to you",
        "Ihnen wurde eine Aufgabe zugewiesen",
        "Une tâche vous a été affectée",
        "Se le ha asignado una tarea",
    ]),
    Words([
        "The dates of your task have changed",
        "Die Termine Ihrer Aufgabe haben sich geändert",
        "Les dates de votre tâche ont changé",
        "Las fechas de su tarea han cambiado",
    ]),
    Words([
        "There is a comment on your task",
        "Ihre Aufgabe hat einen Kommentar",
        "Votre tâche a un commentaire",
        "Su tarea tiene un comentario",
    ]),
    Words([
        "A task is blocked",
        "Eine Aufgabe ist blockiert",
        "Une tâche est bloquée",
        "Una tarea está bloqueada",
    ]),
    Words([
        "The forecast of a milestone has shifted",
        "Die Prognose eines Meilensteins hat sich verschoben",
        "La prévision d’un jalon a changé",
        "La previsión de un hito ha cambiado",
    ]),
    Words([
        "A task of a running sprint was rescheduled",
        "Eine Aufgabe des laufenden Sprints wurde verschoben",
        "Une tâche du sprint en cours a été déplacée",
        "Se ha movido una tarea del sprint en curso",
    ]),
    Words([
        "Your vote is needed",
        "Ihre Stimme wird gebraucht",
        "Votre vote est attendu",
        "Se necesita su voto",
    ]),
    Words([
        "A vote of your team is over",
        "Eine Abstimmung Ihres Teams ist zu Ende",
        "Un vote de votre équipe est terminé",
        "Una votación de su equipo ha terminado",
    ]),
    Words([
        "A project was deleted",
        "Ein Projekt wurde gelöscht",
        "Un projet a été supprimé",
        "Se ha eliminado un proyecto",
    ]),
    Words([
        "Nothing has changed for some time",
        "Seit einiger Zeit hat sich nichts geändert",
        "Rien n’a changé depuis quelque temps",
        "Nada ha cambiado desde hace tiempo",
    ]),
    Words([
        "Your task is in another sprint",
        "Ihre Aufgabe ist in einem anderen Sprint",
        "Votre tâche est dans un autre sprint",
        "Su tarea está en otro sprint",
    ]),
    Words([
        "The tasks of a running sprint have changed",
        "Die Aufgaben des laufenden Sprints haben sich geändert",
        "Les tâches du sprint en cours ont changé",
        "Las tareas del sprint en curso han cambiado",
    ]),
    Words([
        "The end of a project has shifted",
        "Das Ende eines Projekts hat sich verschoben",
        "La fin d’un projet a changé",
        "El fin de un proyecto ha cambiado",
    ]),
    Words([
        "The plan was committed",
        "Der Plan wurde zugesagt",
        "Le plan a été engagé",
        "El plan se ha comprometido",
    ]),
    Words([
        "The health of a program",
        "Der Stand eines Programms",
        "L’état d’un programme",
        "El estado de un programa",
    ]),
    Words([
        "Who has more work than time",
        "Wer mehr Arbeit als Zeit hat",
        "Qui a plus de travail que de temps",
        "Quién tiene más trabajo que tiempo",
    ]),
];

/// The title of a kind. In English it is that of its letters.
pub(crate) fn title(kind: NotificationKind) -> Words {
    TITLES[kind as usize]
}

#[cfg(test)]
mod tests {
    use planwright_web::language::Language;

    use super::*;
    use crate::kinds::KINDS;

    #[test]
    fn the_page_names_a_kind_as_its_letters_do() {
        for row in &KINDS {
            assert_eq!(title(row.kind).text(Language::English), row.title);
        }
    }

    #[test]
    fn texts_with_a_place_have_it_in_every_language() {
        for words in [ASK_ABOUT, ENDED_ABOUT] {
            for language in Language::ALL {
                assert_eq!(words.text(language).matches("{}").count(), 1, "{words:?}");
            }
        }
    }
}
