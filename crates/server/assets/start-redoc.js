Redoc.init("/api/schema/?format=json", { hideDownloadButton: false }, document.getElementById("reader"));
