// How results of the search are ordered; Sphinx puts this into its searchtools.js.
//
// By itself Sphinx scores a page by its best word, so that one word in a heading counts as much as
// all of them in the title. Here each word of the question that the title holds counts.
const titleWords = (text) => {
  const stemmer = new Stemmer();
  const words = splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word));
  return new Set(words.map((word) => stemmer.stemWord(word)));
};

// Pages that mention everything, and are rarely what is looked for.
const LISTS = /^(project\/|ops\/index|howto\/index|reference|architecture|dependencies|about|evidence|platforms|migrate\/index)/;

var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    const question = new URLSearchParams(window.location.search).get("q") || "";
    const words = titleWords(question);
    const held = [...titleWords(title)].filter((word) => words.has(word)).length;
    const heading = kind === SearchResultKind.title; // the question is a heading, word for word
    return score + 20 * held + (heading ? 10 : 0) - (LISTS.test(page) ? 10 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
