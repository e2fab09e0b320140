//! The texts of the page after a sign-in with a provider, in every language. The pages of passwords and invitations, and their
//! texts, are in the server crate.

use planwright_web::language::Words;

pub(crate) const SIGNED_IN: Words =
    Words(["You are signed in", "Sie sind angemeldet", "Vous êtes connecté", "Ha iniciado sesión"]);
pub(crate) const CLOSE: Words = Words([
    "This window can be closed.",
    "Dieses Fenster kann geschlossen werden.",
    "Cette fenêtre peut être fermée.",
    "Puede cerrar esta ventana.",
]);
pub(crate) const GO_ON_TO_PLANWRIGHT: Words = Words([
    "Go on to planwright",
    "Weiter zu planwright",
    "Continuer vers planwright",
    "Continuar a planwright",
]);
pub(crate) const ONE_MORE_STEP: Words =
    Words(["One more step", "Noch ein Schritt", "Encore une étape", "Un paso más"]);
pub(crate) const SHOW_FACTOR: Words = Words([
    "Your provider knows you. Now show your second factor.",
    "Ihr Anbieter kennt Sie. Zeigen Sie jetzt Ihren zweiten Faktor.",
    "Votre fournisseur vous connaît. Présentez maintenant votre second facteur.",
    "Su proveedor le conoce. Muestre ahora su segundo factor.",
]);
pub(crate) const GO_ON: Words = Words(["Go on", "Weiter", "Continuer", "Continuar"]);
pub(crate) const NOT_SIGNED_IN: Words = Words([
    "You are not signed in",
    "Sie sind nicht angemeldet",
    "Vous n’êtes pas connecté",
    "No ha iniciado sesión",
]);

/// Why nobody is signed in. Words that nobody knows get a sentence that says nothing, since anybody can write them.
pub(crate) fn refused_sign_in(error: &str) -> Words {
    Words(match error {
        "access_denied" => [
            "The provider did not let you in, or you cancelled.",
            "Der Anbieter hat Sie nicht eingelassen, oder Sie haben abgebrochen.",
            "Le fournisseur ne vous a pas laissé entrer, ou vous avez annulé.",
            "El proveedor no le dejó entrar, o usted canceló.",
        ],
        "sso_not_configured" => [
            "There is no such provider here. Ask your administrator.",
            "Diesen Anbieter gibt es hier nicht. Fragen Sie Ihre Administration.",
            "Ce fournisseur n’existe pas ici. Demandez à votre administrateur.",
            "Aquí no existe ese proveedor. Pregunte a su administrador.",
        ],
        "invalid_state" => [
            "This sign-in was not begun in this browser, or it took too long. Begin again.",
            "Diese Anmeldung wurde nicht in diesem Browser begonnen oder hat zu lange gedauert. Beginnen Sie neu.",
            "Cette connexion n’a pas commencé dans ce navigateur, ou elle a duré trop longtemps. Recommencez.",
            "Este inicio de sesión no empezó en este navegador, o tardó demasiado. Empiece de nuevo.",
        ],
        "sso_account_disabled" => [
            "Your account was deactivated. Ask your administrator.",
            "Ihr Konto wurde deaktiviert. Fragen Sie Ihre Administration.",
            "Votre compte a été désactivé. Demandez à votre administrateur.",
            "Su cuenta se ha desactivado. Pregunte a su administrador.",
        ],
        "sso_no_member" => [
            "You have no account here. Ask your administrator.",
            "Sie haben hier kein Konto. Fragen Sie Ihre Administration.",
            "Vous n’avez pas de compte ici. Demandez à votre administrateur.",
            "No tiene cuenta aquí. Pregunte a su administrador.",
        ],
        "email_unverified" => [
            "Your provider has not verified your e-mail address. Verify it there, and begin again.",
            "Ihr Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort und beginnen Sie neu.",
            "Votre fournisseur n’a pas vérifié votre adresse e-mail. Vérifiez-la chez lui, puis recommencez.",
            "Su proveedor no ha verificado su dirección de correo. Verifíquela allí y empiece de nuevo.",
        ],
        _ => [
            "The provider gave an answer that cannot be accepted. Try again, or ask your administrator.",
            "Der Anbieter hat eine Antwort gegeben, die nicht gelten kann. Versuchen Sie es noch einmal, oder fragen Sie Ihre Administration.",
            "Le fournisseur a donné une réponse qui ne peut pas être acceptée. Réessayez, ou demandez à votre administrateur.",
            "El proveedor dio una respuesta que no se puede aceptar. Inténtelo de nuevo o pregunte a su administrador.",
        ],
    })
}
