import type { CommandRuns } from './command.ts';

/** Commands about the profile of the registry (REGISTRY_PROFILE). */
export const profileCommands: CommandRuns<'profile'> = {
  profile: async ({ profile, say }) => say(JSON.stringify(profile, null, 2)),
};
