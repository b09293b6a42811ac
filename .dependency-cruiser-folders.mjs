// No two folders of the service need each other. Apart from `.dependency-cruiser.mjs`, because a rule about folders cannot leave
// out the tests that stand beside the sources: through their helpers every folder would reach every other.
import rules from './.dependency-cruiser.mjs';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'folders-one-way',
      severity: 'error',
      comment: 'Two folders that need each other are one folder, or three.',
      scope: 'folder',
      from: { path: '^packages/server/src' },
      to: { circular: true },
    },
  ],
  options: { ...rules.options, exclude: { path: String.raw`(^|/)dist/|\.test\.ts$` } },
};
