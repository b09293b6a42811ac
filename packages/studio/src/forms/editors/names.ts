/** Variables by the names that authors give them: most are of the conversation, whose scope need not be written. */

const scope = '$context.';

/** A path as an author reads it. */
export const shownName = (path: string): string => (path.startsWith(scope) ? path.slice(scope.length) : path);

/** The path of what an author writes; a path or an expression is itself. */
export const pathOf = (name: string): string => (name === '' || /[${]/.test(name) ? name : `${scope}${name.trimStart()}`);
