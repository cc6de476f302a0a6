// The site's own search, without a browser: node site_search.js SITE < queries.json > results.json
const fs = require("fs");
const vm = require("vm");

const site = process.argv[2];
const context = vm.createContext({
  document: { getElementById: () => ({ lastChild: null }), querySelectorAll: () => [] },
  SPHINX_HIGHLIGHT_ENABLED: false,
  DOCUMENTATION_OPTIONS: {},
  URLSearchParams,
  _ready: () => {},
});
context.window = context;
const scripts = ["_static/language_data.js", "_static/searchtools.js", "searchindex.js"];
const code = scripts.map((name) => fs.readFileSync(`${site}/${name}`, "utf8"));
const Search = vm.runInContext(code.join("\n") + "\nSearch", context);

const queries = JSON.parse(fs.readFileSync(0, "utf8"));
// The page of results is asked for with `?q=`; it shows them from the last to the first.
const found = (query) => {
  context.location = { search: `?q=${encodeURIComponent(query)}` };
  return Search._performSearch(...Search._parseQuery(query)).reverse();
};
console.log(JSON.stringify(queries.map((query) => found(query).map((r) => r[0] + r[2]))));
