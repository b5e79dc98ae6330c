import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const mirrorsWords = {
  activities: {
    whois: {
      category: 'whois',
      actions: {
        loadDump: { words: 'Load whois objects from a file', category: 'system' },
        createMirrorKey: { words: 'Create the key that signs what mirrors read', category: 'system' },
        rotateMirrorKey: { words: 'Replace the key that signs what mirrors read', category: 'system' },
      },
    },
  },
  unshown: {
    nrtm_key: 'the registry’s',
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    mirrors: typeof mirrorsWords;
  }
}
