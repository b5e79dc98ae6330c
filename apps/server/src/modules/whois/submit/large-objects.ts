import { setImmediate as turn } from 'node:timers/promises';
import { SECOND_MS } from '@portal/contract/days';
import type { RpslObject, RpslProblem } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';

import { TaskRefused } from '../../../platform/bounded-thread.ts';
import { readApart, readingThread } from '../../../platform/reading-apart.ts';
import { plain, received, sent } from './carried-object.ts';
import type { read } from './syntax-thread.ts';
import { checkSyntax, wordsIn } from '../store/syntax.ts';
import type { WhoisProblem } from '../store/update.ts';

/** Characters from which on an object is judged in the thread: smaller ones take less than the way there. */
const LARGE = 8_000;

/**
 * A thread of its own, as an object is judged while others wait for whois to be written: it has not to wait for files. The longest object takes a tenth of a
 * second.
 */
const judgeApart = readApart<typeof read>(
  new URL('./syntax-thread.ts', import.meta.url),
  readingThread({ memoryMb: 192, timeMs: 5 * SECOND_MS, waiting: 8 }),
);

type Judged = { object: RpslObject; problems: WhoisProblem[] };

/** `checkSyntax`, for large objects in a thread with limits of time and memory. @param sender whose turn it is there */
export async function judgeSyntax(
  object: RpslObject,
  mode: 'create' | 'modify',
  { profile, sender }: { profile: Profile; sender: string },
): Promise<Judged> {
  if (!isLarge(object)) return checkSyntax(object, mode, profile);
  try {
    const { hostmasterMaintainer } = profile;
    const judged = await judgeApart(sender, { ...sent(object), asked: 'syntax', mode, profile: { hostmasterMaintainer } });
    if (judged.asked !== 'syntax') throw new Error('The thread answered something else');
    // It was a turn of its own to take the answer.
    await turn();
    return { object: judged.text === null ? plain(object) : received(judged.text, judged.lines), problems: judged.problems };
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error;
    return { object, problems: [error.reason === 'busy' ? waits : tooDear] };
  }
}

/** The words of an object in one spelling: two with the same words are the same. @param sender whose turn it is where it is large */
export async function wordsOf(object: RpslObject, sender: string): Promise<string> {
  if (!isLarge(object)) return wordsIn(object);
  const judged = await judgeApart(sender, { ...sent(object), asked: 'words' });
  if (judged.asked !== 'words') throw new Error('The thread answered something else');
  return judged.words;
}

const whole = { severity: 'error', attribute: null, line: null } as const;
const tooDear: RpslProblem = {
  ...whole,
  code: 'object-too-long',
  message: 'Reading this object takes longer, or more memory, than it may. Make it shorter',
};
const waits: RpslProblem = {
  ...whole,
  code: 'object-waits',
  message: 'Earlier objects of yours wait to be read. Send it again in a moment',
};

/** Whether a text of an object is that long. */
function isLarge({ attributes }: RpslObject): boolean {
  let size = 0;
  for (const { written, raw } of attributes) {
    size += written.length + raw.length + 1;
    if (size > LARGE) return true;
  }
  return false;
}
