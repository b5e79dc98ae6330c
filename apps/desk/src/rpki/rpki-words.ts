import { formatDate } from '@portal/ui';
import type { AuthorityProblem, objectKinds, RpkiAlarm, RpkiOverview } from '@portal/contract/rpki/desk';
import { formatCount, type State } from '@portal/ui';

type When = (iso: string) => string;
type Words = { title: string; detail: string; advice: string };

const counted = (count: number, one: string, many: string): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** An alarm in words: what is wrong, what it means for relying parties, and what to do. @param when writes an instant as the reader reads times */
export function alarmWords(alarm: RpkiAlarm, when: When): Words {
  switch (alarm.kind) {
    case 'dated-in-the-future':
      return {
        title: `${counted(alarm.count, 'file begins', 'files begin')} in the future.`,
        detail: `The last begins on ${when(alarm.latest)}. Until then validators refuse ${alarm.count === 1 ? 'it' : 'them'}: a clock was wrong when ${alarm.count === 1 ? 'it was' : 'they were'} made, or is now.`,
        advice:
          'Check the clocks of this machine and of the database. Once they are right, the publisher makes the files anew. Where the trust anchor is kept offline, have it sign again.',
      };
    case 'publishing-fails':
      return {
        title: 'Publishing fails.',
        detail: `The last publication without an error ended on ${when(alarm.since)}. The publisher says: ${alarm.failure}`,
        advice: 'Read the log of the process with the role publisher. It tries again every 30 seconds.',
      };
    case 'manifests-end':
      return {
        title: `${counted(alarm.count, 'manifest was', 'manifests were')} not renewed in time.`,
        detail: `The first ends on ${when(alarm.soonest)}. From then on validators ignore everything that certificate authority publishes.`,
        advice:
          'Check that a process with the role publisher runs, and that it reaches the database. “registry rpki publish” publishes once.',
      };
    case 'trust-anchor-ends':
      return {
        title: 'The trust anchor has to sign again.',
        detail: `Its manifest ends on ${when(alarm.soonest)}. From then on validators ignore everything this registry publishes.`,
        advice: 'Download a request file below, sign it on the trust anchor’s machine, and upload the response.',
      };
    case 'certificate-ends':
      return {
        title: 'A certificate of the registry ends soon.',
        detail: `It ends on ${when(alarm.soonest)}, and was not renewed 60 days before.`,
        advice:
          'Where the trust anchor is kept offline, have it sign again. Otherwise read the log of the process with the role publisher.',
      };
    case 'changes-wait':
      return {
        title: `Changes of ${counted(alarm.accounts, 'account', 'accounts')} wait to be published.`,
        detail: `The oldest was made on ${when(alarm.since)}. Publishing usually takes seconds.`,
        advice: 'Check that a process with the role publisher runs. “registry rpki publish” publishes once.',
      };
  }
}

/** Why a member’s certificate authority needs attention. `at` says what its time is. */
export const problemWords: Record<AuthorityProblem, { word: string; state: State; at: string; advice: string }> = {
  'manifest-ended': {
    word: 'Manifest has ended',
    state: 'invalid',
    at: 'Ended',
    advice: 'Validators ignore its ROAs. Check the publisher.',
  },
  'manifest-late': { word: 'Manifest is late', state: 'warning', at: 'Ends', advice: 'It should have been renewed. Check the publisher.' },
  'certificate-ends': {
    word: 'Certificate ends soon',
    state: 'warning',
    at: 'Ends',
    advice: 'It should have been renewed. Check the publisher or, where it is self-hosted, ask the member.',
  },
  'not-published': {
    word: 'Changes wait',
    state: 'warning',
    at: 'Since',
    advice: 'Publishing usually takes seconds. Check the publisher.',
  },
  'refused-files': { word: 'Validators refuse files', state: 'invalid', at: 'Seen', advice: 'Send the member what validators say.' },
  'not-in-rsync': {
    word: 'Files missing for rsync',
    state: 'invalid',
    at: 'Seen',
    advice: 'Validators that use rsync don’t find all its files. Send the member what is wrong with them, or look at the disk.',
  },
  'files-end': {
    word: 'Files end soon',
    state: 'warning',
    at: 'End',
    advice: 'Its program should have published anew. The member was warned; ask whether it runs.',
  },
  silent: {
    word: 'No longer asks',
    state: 'warning',
    at: 'Last asked',
    advice: 'Its program is off, so its certificate won’t be renewed. Ask the member.',
  },
  'never-asked': {
    word: 'Never asked for a certificate',
    state: 'pending',
    at: 'Connected',
    advice: 'Setup not finished. Offer the member help.',
  },
  'rollover-waits': {
    word: 'Key rollover not finished',
    state: 'pending',
    at: 'New key since',
    advice: 'The new key waits to be activated. Remind the member.',
  },
  'withdrawn-soon': {
    word: 'Suspended',
    state: 'warning',
    at: 'Withdrawn',
    advice: 'Certificate and ROAs are withdrawn then, unless the account is open again before. The member was notified.',
  },
};

/** Names of kinds of published files. */
export const objectWords: Record<(typeof objectKinds)[number], readonly [one: string, many: string]> = {
  certificate: ['certificate', 'certificates'],
  crl: ['revocation list (CRL)', 'revocation lists (CRL)'],
  manifest: ['manifest', 'manifests'],
  roa: ['ROA', 'ROAs'],
  aspa: ['provider authorisation (ASPA)', 'provider authorisations (ASPA)'],
  delegated: ['file of a self-hosted authority', 'files of self-hosted authorities'],
};

export const keyPlaceWords = {
  here: 'Sealed in the database',
  module: 'In a hardware module',
  offline: 'On a machine without a network',
} as const;

/** Owners of manifests. */
export const ofWords: Record<NonNullable<RpkiOverview['publication']['manifests']['next']>['of'], string> = {
  'trust-anchor': 'the trust anchor',
  registry: 'the registry',
  as0: 'the trust anchor of AS0',
  identity: 'the registry’s identity',
  member: 'a member',
};

/** Writes instants for sentences. */
export const whenIn =
  (format: Parameters<typeof formatDate>[1]): When =>
  iso =>
    formatDate(iso, format);
