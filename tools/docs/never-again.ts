import type { ProjectFile } from '../project-files.ts';
import { sentencesOf, spokenFiles } from './sentences.ts';

/** Words that sound translated, and the ordinary ones for them. */
const neverAgain: readonly (readonly [RegExp, string])[] = [
  [/\bstands? (here|there|below)\b/i, 'say where it appears'],
  [/\b(what|whatever) came of\b/i, 'result'],
  [/\b(is|are|was|were) told\b/i, 'gets an e-mail, is notified'],
  [/\bwhoever\b/i, 'the person who, anyone who'],
  [/\bwhom\b/i, 'who'],
  [/\bat once\b/i, 'immediately, or at a time'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bthrow(s|n)? (\S+ )?away\b/i, 'delete, discard'],
  [/\blook among\b/i, 'check'],
  [/\balike\b/i, 'bulk, similar'],
  [/\bparts objects\b/i, 'separates'],
  [/\bleave it\b/i, 'cancel'],
  [/\bt(ake|akes|ook|aken) over (an?|the)\b/i, 'import'],
  [/\b(is|are) to be (?!continued)\w+/i, 'must, will'],
  [/\bsomebody\b/i, 'someone, or name the person'],
  [/^no(body|-one)\b/i, 'no one, or say what there is'],
  [/^none\.?$/i, 'say what there is none of'],
  [/^no \w+ waits?\b/i, 'no open …'],
  [/^nothing\b[^.]*$/i, 'say what there is none of'],
];

/** An option of a list that chooses none of the others. The list may only get shorter, and has at most ten entries. */
export const kept: readonly string[] = ['None'];

/** Sentences of a file with words that people stumble over, and what to say instead. */
export function neverAgainIn(file: ProjectFile): string[] {
  if (!spokenFiles.test(file.path)) return [];
  return sentencesOf(file).flatMap(({ text, line }) =>
    kept.includes(text)
      ? []
      : neverAgain.flatMap(([said, instead]) =>
          said.test(text) ? [`${file.path}:${line}: ordinary English (${instead}): ${text.slice(0, 140)}`] : [],
        ),
  );
}
