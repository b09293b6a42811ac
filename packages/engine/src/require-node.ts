// Refuses a Node.js that is older than what stores, drivers and the service need, when it is imported: before the modules that would fail
// one by one there. It imports nothing, and is written so that old versions can run it.

/** The oldest Node.js that they run on; a test compares it with the `engines` of their manifests. */
const oldest = [26, 1] as const;

// This package is compiled without the types of Node.js: elsewhere, such as in a browser, there is no such process.
const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
const running = process?.versions?.node;

if (running !== undefined) {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new Error(
      `This is Node.js ${running}, and hilo needs ${oldest.join('.')} or newer: older ones cannot keep functions from the network, and some cut stored texts.`,
    );
}

export {};
