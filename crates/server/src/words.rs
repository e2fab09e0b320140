//! The texts of the pages that this crate writes: passwords, invitations and public links, in every language.
//! The pages of other areas have theirs beside them.

use planwright_domain::words::TaskStatus;
use planwright_web::language::{Language, Words};

// The page for a new password.

pub(crate) const NEW_PASSWORD: Words =
    Words(["New password", "Neues Passwort", "Nouveau mot de passe", "Contraseña nueva"]);
pub(crate) const CHOOSE_PASSWORD: Words = Words([
    "Choose a new password",
    "Wählen Sie ein neues Passwort",
    "Choisissez un nouveau mot de passe",
    "Elija una contraseña nueva",
]);
/// With the name of its owner.
pub(crate) const PASSWORD_ADVICE: Words = Words([
    "For {}. At least 10 characters; a few words that do not belong together are best.",
    "Für {}. Mindestens 10 Zeichen; am besten sind einige Wörter, die nicht zusammengehören.",
    "Pour {}. Au moins 10 caractères\u{a0}; le mieux, ce sont quelques mots sans rapport entre eux.",
    "Para {}. Al menos 10 caracteres; lo mejor son varias palabras sin relación entre sí.",
]);
pub(crate) const ONCE_MORE: Words =
    Words(["The same once more", "Noch einmal dasselbe", "Le même encore une fois", "La misma otra vez"]);
pub(crate) const CHANGE_PASSWORD: Words =
    Words(["Change the password", "Passwort ändern", "Changer le mot de passe", "Cambiar la contraseña"]);
pub(crate) const PASSWORDS_DIFFER: Words = Words([
    "The two passwords differ.",
    "Die beiden Passwörter sind verschieden.",
    "Les deux mots de passe sont différents.",
    "Las dos contraseñas son distintas.",
]);
pub(crate) const PASSWORD_CHANGED: Words = Words([
    "<h1>The password was changed</h1><p>Sign in with the new one. All sessions and tokens of the old one have ended.</p>",
    "<h1>Das Passwort ist geändert</h1><p>Melden Sie sich mit dem neuen an. Alle Sitzungen und Token des alten sind beendet.</p>",
    "<h1>Le mot de passe est changé</h1><p>Connectez-vous avec le nouveau. Toutes les sessions et tous les jetons de l’ancien ont pris fin.</p>",
    "<h1>La contraseña ha cambiado</h1><p>Inicie sesión con la nueva. Todas las sesiones y los tokens de la anterior han terminado.</p>",
]);
pub(crate) const DEAD_RESET_LINK: Words = Words([
    "<h1>This link is not valid any more</h1><p>It was used, or it is too old. Ask for a new one where you sign in.</p>",
    "<h1>Dieser Link gilt nicht mehr</h1><p>Er wurde benutzt oder ist zu alt. Einen neuen bekommen Sie dort, wo Sie sich anmelden.</p>",
    "<h1>Ce lien n’est plus valable</h1><p>Il a été utilisé ou il est trop ancien. Demandez-en un nouveau là où vous vous connectez.</p>",
    "<h1>Este enlace ya no es válido</h1><p>Se ha usado o es demasiado antiguo. Pida uno nuevo donde inicia sesión.</p>",
]);

// The page of an invitation.

pub(crate) const INVITATION: Words = Words(["Invitation", "Einladung", "Invitation", "Invitación"]);
pub(crate) const JOIN_WORKSPACE: Words = Words([
    "Join the workspace",
    "Dem Arbeitsbereich beitreten",
    "Rejoindre l’espace de travail",
    "Unirse al espacio de trabajo",
]);
/// With the address that is invited.
pub(crate) const ACCOUNT_ADVICE: Words = Words([
    "For {}. Choose a user name, and a password of at least 10 characters; a few words that do not belong together are best.",
    "Für {}. Wählen Sie einen Benutzernamen und ein Passwort aus mindestens 10 Zeichen; am besten sind einige Wörter, die nicht zusammengehören.",
    "Pour {}. Choisissez un nom d’utilisateur et un mot de passe d’au moins 10 caractères\u{a0}; le mieux, ce sont quelques mots sans rapport entre eux.",
    "Para {}. Elija un nombre de usuario y una contraseña de al menos 10 caracteres; lo mejor son varias palabras sin relación entre sí.",
]);
pub(crate) const USER_NAME: Words =
    Words(["User name", "Benutzername", "Nom d’utilisateur", "Nombre de usuario"]);
pub(crate) const PASSWORD: Words = Words(["Password", "Passwort", "Mot de passe", "Contraseña"]);
pub(crate) const JOIN: Words = Words(["Join", "Beitreten", "Rejoindre", "Unirse"]);
/// With the name of the account.
/// The way from a page that has done its work to the application.
pub(crate) const SIGN_IN: Words = Words([
    "<p><a href=\"/\">Sign in</a></p>",
    "<p><a href=\"/\">Anmelden</a></p>",
    "<p><a href=\"/\">Se connecter</a></p>",
    "<p><a href=\"/\">Iniciar sesión</a></p>",
]);
pub(crate) const WELCOME: Words = Words([
    "<h1>Welcome</h1><p>Your account is there. Sign in as {}.</p>",
    "<h1>Willkommen</h1><p>Ihr Konto ist da. Melden Sie sich als {} an.</p>",
    "<h1>Bienvenue</h1><p>Votre compte est prêt. Connectez-vous en tant que {}.</p>",
    "<h1>Le damos la bienvenida</h1><p>Su cuenta está lista. Inicie sesión como {}.</p>",
]);
pub(crate) const DEAD_INVITATION: Words = Words([
    "<h1>This invitation is not valid any more</h1><p>It was used, revoked, or it is too old. Ask for a new one.</p>",
    "<h1>Diese Einladung gilt nicht mehr</h1><p>Sie wurde benutzt oder widerrufen, oder sie ist zu alt. Bitten Sie um eine neue.</p>",
    "<h1>Cette invitation n’est plus valable</h1><p>Elle a été utilisée ou révoquée, ou elle est trop ancienne. Demandez-en une nouvelle.</p>",
    "<h1>Esta invitación ya no es válida</h1><p>Se ha usado o revocado, o es demasiado antigua. Pida una nueva.</p>",
]);

// The pages of public links.

pub(crate) const SHARED_PROJECT: Words =
    Words(["Shared project", "Geteiltes Projekt", "Projet partagé", "Proyecto compartido"]);
pub(crate) const NOTHING_HERE: Words = Words([
    "There is nothing at this address.",
    "Unter dieser Adresse gibt es nichts.",
    "Il n’y a rien à cette adresse.",
    "No hay nada en esta dirección.",
]);
pub(crate) const DEAD_SHARE_LINK: Words = Words([
    "This link does not work any more. Ask the person who sent it for a new one.",
    "Dieser Link funktioniert nicht mehr. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.",
    "Ce lien ne fonctionne plus. Demandez-en un nouveau à la personne qui vous l’a envoyé.",
    "Este enlace ya no funciona. Pida uno nuevo a quien se lo envió.",
]);
pub(crate) const CUT: Words = Words([
    "Only the first part is shown.",
    "Nur der erste Teil ist zu sehen.",
    "Seule la première partie est affichée.",
    "Solo se muestra la primera parte.",
]);
pub(crate) const MILESTONE: Words = Words(["milestone", "Meilenstein", "jalon", "hito"]);
pub(crate) const SCHEDULE: Words = Words(["Schedule", "Terminplan", "Planning", "Cronograma"]);
pub(crate) const WBS: Words = Words(["WBS", "PSP", "WBS", "EDT"]);
pub(crate) const TASK: Words = Words(["Task", "Aufgabe", "Tâche", "Tarea"]);
pub(crate) const START: Words = Words(["Start", "Beginn", "Début", "Inicio"]);
pub(crate) const FINISH: Words = Words(["Finish", "Ende", "Fin", "Fin"]);
pub(crate) const DONE: Words = Words(["Done", "Fertig", "Fait", "Hecho"]);
pub(crate) const STATUS: Words = Words(["Status", "Status", "Statut", "Estado"]);
pub(crate) const WHO: Words = Words(["Who", "Wer", "Qui", "Quién"]);

/// The words of a status, as the application has them.
pub(crate) fn status(status: TaskStatus) -> Words {
    Words(match status {
        TaskStatus::Backlog => ["Backlog", "Backlog", "Backlog", "Backlog"],
        TaskStatus::NotStarted => ["To do", "Offen", "À faire", "Por hacer"],
        TaskStatus::InProgress => ["In progress", "In Arbeit", "En cours", "En curso"],
        TaskStatus::Review => ["Review", "Prüfung", "Revue", "Revisión"],
        TaskStatus::OnHold => ["On hold", "Angehalten", "En pause", "En pausa"],
        TaskStatus::Complete => ["Done", "Fertig", "Terminé", "Hecho"],
    })
}

/// What accounts refuses a password or a user name with.
const REFUSALS: &[Words] = &[
    Words([
        "The password must have at least 10 characters.",
        "Das Passwort braucht mindestens 10 Zeichen.",
        "Le mot de passe doit avoir au moins 10 caractères.",
        "La contraseña debe tener al menos 10 caracteres.",
    ]),
    Words([
        "The password is in a public list of stolen passwords.",
        "Das Passwort steht in einer öffentlichen Liste gestohlener Passwörter.",
        "Le mot de passe figure dans une liste publique de mots de passe volés.",
        "La contraseña está en una lista pública de contraseñas robadas.",
    ]),
    Words([
        "The password is too similar to the name of this program.",
        "Das Passwort ist dem Namen dieses Programms zu ähnlich.",
        "Le mot de passe ressemble trop au nom de ce programme.",
        "La contraseña se parece demasiado al nombre de este programa.",
    ]),
    Words([
        "The password is too similar to the user name.",
        "Das Passwort ist dem Benutzernamen zu ähnlich.",
        "Le mot de passe ressemble trop au nom d’utilisateur.",
        "La contraseña se parece demasiado al nombre de usuario.",
    ]),
    Words([
        "The password is too similar to the e-mail address.",
        "Das Passwort ist der E-Mail-Adresse zu ähnlich.",
        "Le mot de passe ressemble trop à l’adresse e-mail.",
        "La contraseña se parece demasiado a la dirección de correo.",
    ]),
    Words([
        "The password is the current one.",
        "Das ist das jetzige Passwort.",
        "C’est le mot de passe actuel.",
        "Es la contraseña actual.",
    ]),
    Words([
        "A user name has letters from a to z, digits, and the signs @ . + - _.",
        "Ein Benutzername hat Buchstaben von a bis z, Ziffern und die Zeichen @ . + - _.",
        "Un nom d’utilisateur a des lettres de a à z, des chiffres et les signes @ . + - _.",
        "Un nombre de usuario tiene letras de la a a la z, cifras y los signos @ . + - _.",
    ]),
    Words([
        "Choose another user name; this one is taken.",
        "Wählen Sie einen anderen Benutzernamen; diesen gibt es schon.",
        "Choisissez un autre nom d’utilisateur\u{a0}; celui-ci est pris.",
        "Elija otro nombre de usuario; este ya existe.",
    ]),
    Words([
        "This user name is taken.",
        "Diesen Benutzernamen gibt es schon.",
        "Ce nom d’utilisateur est pris.",
        "Este nombre de usuario ya existe.",
    ]),
];

/// The sentences of a refusal. One that is not known here stays as it is.
pub(crate) fn refusals(language: Language, sentences: &[String]) -> Vec<String> {
    sentences.iter().map(|sentence| refusal(language, sentence).to_owned()).collect()
}

fn refusal(language: Language, sentence: &str) -> &str {
    let known = REFUSALS.iter().find(|words| words.text(Language::English) == sentence);
    known.map_or(sentence, |words| words.text(language))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use planwright_accounts::passwords::rules::{Wanted, weaknesses};

    use super::*;

    #[test]
    fn every_weakness_of_a_password_is_told_in_every_language() {
        let (name, email) = ("planwright", "planwright@example.test");
        let short = Wanted { password: "12345", username: "", email: "", is_current: true };
        let similar = Wanted { password: "planwright-7", username: name, email, is_current: false };
        let told: BTreeSet<String> = [short, similar].into_iter().flat_map(weaknesses).collect();
        assert_eq!(told.len(), 6, "{told:?}");
        for language in [Language::German, Language::French, Language::Spanish] {
            for sentence in &told {
                assert_ne!(refusal(language, sentence), sentence, "{language:?}");
            }
        }
    }

    #[test]
    fn a_refusal_that_nobody_has_translated_stays_as_it_is() {
        let sentences = ["This user name is taken.", "Something else."].map(str::to_owned);
        let german = ["Diesen Benutzernamen gibt es schon.", "Something else."];
        assert_eq!(refusals(Language::German, &sentences), german);
        assert_eq!(refusals(Language::English, &sentences), sentences);
    }

    #[test]
    fn texts_with_a_place_have_it_in_every_language() {
        for words in [PASSWORD_ADVICE, ACCOUNT_ADVICE, WELCOME] {
            for language in Language::ALL {
                assert_eq!(words.text(language).matches("{}").count(), 1, "{words:?}");
            }
        }
    }
}
