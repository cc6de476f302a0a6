"""`opgen lsp`: a language server for specs. Each module answers one kind of request."""
