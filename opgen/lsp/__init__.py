"""`opgen lsp`: a language server for specs. Most modules answer one kind of editor request."""
