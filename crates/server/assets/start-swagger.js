SwaggerUIBundle({ url: "/api/schema/?format=json", dom_id: "#reader", deepLinking: true, validatorUrl: null });
