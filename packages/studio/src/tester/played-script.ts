/** The script that plays a test conversation again from its beginning. */
export interface PlayedScript {
  /** Replaces it: by the script that the test begins with, or by the transcript that is shown. */
  replaceBy(script: string): void;
  /** Adds a line that is being played. It stays until a transcript that contains it is shown, so that no edit in between loses it. */
  add(line: string): void;
  text(): string;
}

export function createPlayedScript(begun: string): PlayedScript {
  let shown = begun;
  let underWay: readonly string[] = [];
  return {
    replaceBy(script) {
      shown = script;
      underWay = [];
    },
    add(line) {
      underWay = [...underWay, line];
    },
    text: () => [...(shown === '' ? [] : [shown.trimEnd()]), ...underWay].join('\n'),
  };
}
