import { type Invariant, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { kindsOfMail, newestVersions, textOf } from './text-versions.ts';
import { problemsOf } from './mail-text.ts';

/** Invariants of the texts of mails. */
export const mailInvariants: readonly Invariant[] = [
  {
    name: 'mail.texts',
    sentence: 'Each text of a mail that registry staff changed is the text that is sent',
    check: async ({ read, modules }) => {
      const kinds = new Map(kindsOfMail({ modules }).map(kind => [kind.key, kind]));
      return (await newestVersions(read))
        .flatMap((version): Violation[] => {
          const text = textOf(version);
          const kind = kinds.get(version.kind);
          if (text === null) return [];
          const object = `The text of the mail ${version.kind}`;
          if (!kind)
            return [
              { object, problem: 'is of a kind of mail that there isn’t', remedy: 'Give the kind its former key, which is kept for good' },
            ];
          const [problem] = problemsOf(kind, text);
          return problem
            ? [
                {
                  object,
                  problem: `isn’t sent, because its ${problem.field === 'subject' ? 'subject' : 'text'} can’t be filled: ${problem.message}`,
                  remedy: 'Change it on the desk’s page Mail texts, or use the standard text again',
                },
              ]
            : [];
        })
        .slice(0, MAX_VIOLATIONS);
    },
  },
];
