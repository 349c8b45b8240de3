// The names that a file of a bundle defines at its top level.
const DEFINITION = /^(?:export )?(?:(?:async )?function\*? |(?:var|let|const|class) )([\w$]+)/gm;
const TAKEN_APART = /^(?:var|let|const) \{([^}]*)\} = /gm;

// definedIn lists the names that are defined at the top level of a file.
export function definedIn(source) {
  const names = new Set();
  for (const [, name] of source.matchAll(DEFINITION)) names.add(name);
  for (const [, list] of source.matchAll(TAKEN_APART)) {
    for (const item of list.split(",")) {
      const name = item.split(":").at(-1).split("=")[0].trim();
      if (/^[\w$]+$/.test(name)) names.add(name);
    }
  }
  return names;
}
