import type { RpslObject } from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';
import { received, sent } from './carried-object.ts';
import { checkSyntax, wordsIn } from '../store/syntax.ts';
import type { WhoisProblem } from '../store/update.ts';

/** An object, and what is asked of it. */
export type ToJudge = { text: string; lines: Int32Array } & (
  | { asked: 'syntax'; mode: 'create' | 'modify'; profile: Pick<Profile, 'hostmasterMaintainer'> }
  | { asked: 'words' }
);
/** `text` and `lines`: the object as it is to be stored; null where it stays as it was sent. */
type Judged = { asked: 'syntax'; text: string | null; lines: Int32Array; problems: WhoisProblem[] } | { asked: 'words'; words: string };

/** Judges a large object: see `large-objects.ts`. */
export function read(given: ToJudge): Judged {
  const object = received(given.text, given.lines);
  if (given.asked === 'words') return { asked: 'words', words: wordsIn(object) };
  const judged = checkSyntax(object, given.mode, given.profile);
  const { text, lines } = sent(judged.object);
  return { asked: 'syntax', text: isSame(object, judged.object) ? null : text, lines, problems: judged.problems };
}

const isSame = (before: RpslObject, after: RpslObject): boolean =>
  before.attributes.length === after.attributes.length &&
  before.attributes.every(
    ({ written, raw }, place) => written === after.attributes[place]!.written && raw === after.attributes[place]!.raw,
  );
