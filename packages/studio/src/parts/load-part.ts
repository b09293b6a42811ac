// Loads code that comes after the first picture. While the service cannot be reached, or the session is over, it is waited for: the screen
// stays, with all that was typed in it.

const pauseMs = 2_000;

/**
 * Loads a part, however long the service cannot be reached, or wants somebody to log in: in a `lazy`, what `Suspense` shows meanwhile stays
 * that long.
 *
 * @throws what the import throws where the service answers and the part is not there: it is another version now
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let wasCut = false;
  for (let isReached = false; ; ) {
    try {
      const part = await load();
      if (wasCut) loadStylesAgain();
      return part;
    } catch (error) {
      if (isReached) throw error;
      wasCut = true;
      isReached = await isServiceThere();
      if (!isReached) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Settles once the service is reached and gives its code. @returns whether it did not at first */
export async function untilServiceIsThere(): Promise<boolean> {
  for (let wasAway = false; ; wasAway = true) {
    if (await isServiceThere()) return wasAway;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const isServiceThere = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status !== 401, // it gives its code to whoever is logged in
    () => false,
  );

/** The loader of modules asks for each style once, also where it did not come. */
function loadStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  }
}
