// Words of what is taken out of a project or program: files, documents, archives.
export const away = {
  leaves: ["What the file leaves out", "Was die Datei weglässt", "Ce que le fichier laisse de côté", "Lo que el archivo deja fuera"],
  leavesNothing: [
    "The file leaves nothing out.",
    "Die Datei lässt nichts weg.",
    "Le fichier ne laisse rien de côté.",
    "El archivo no deja nada fuera.",
  ],
  archives: ["Archives", "Archive", "Archives", "Archivos completos"],
  archivesText: [
    "An archive holds the plan with its attachments, time and history. A document holds the plan alone, and another planwright reads it.",
    "Ein Archiv enthält den Plan mit Anlagen, Zeiten und Verlauf. Ein Dokument enthält nur den Plan, und ein anderes planwright liest es.",
    "Une archive contient le plan avec ses pièces jointes, ses temps et son historique. Un document contient le plan seul, et un autre planwright le lit.",
    "Un archivo completo contiene el plan con sus adjuntos, tiempos e historial. Un documento contiene solo el plan, y otro planwright lo lee.",
  ],
  make: ["Make an archive", "Archiv anlegen", "Créer une archive", "Crear un archivo completo"],
  document: ["Document (JSON)", "Dokument (JSON)", "Document (JSON)", "Documento (JSON)"],
  save: ["Save", "Speichern", "Enregistrer", "Guardar"],
  saveOf: ["Save the archive of {when}", "Archiv vom {when} speichern", "Enregistrer l’archive du {when}", "Guardar el archivo del {when}"],
  waits: ["It begins soon.", "Es beginnt gleich.", "Elle commence bientôt.", "Empieza enseguida."],
  packing: ["{done} of {total}", "{done} von {total}", "{done} sur {total}", "{done} de {total}"],
  until: ["kept until {when}", "aufbewahrt bis {when}", "gardée jusqu’au {when}", "se guarda hasta el {when}"],
  notYours: [
    "only who asked for it can save it",
    "nur wer es angefordert hat, kann es speichern",
    "seule la personne qui l’a demandée peut l’enregistrer",
    "solo quien lo pidió puede guardarlo",
  ],
  gone: ["It is not kept any more.", "Es wird nicht mehr aufbewahrt.", "Elle n’est plus gardée.", "Ya no se guarda."],
  cancelled: ["It was cancelled.", "Es wurde abgebrochen.", "Elle a été annulée.", "Se canceló."],
  failed: ["It failed: {why}", "Es ist fehlgeschlagen: {why}", "Elle a échoué : {why}", "Falló: {why}"],
} as const;
