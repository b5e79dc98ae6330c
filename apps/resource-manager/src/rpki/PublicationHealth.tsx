import type { RpkiStatus } from '@portal/contract/rpki/rpki';
import { Banner, DateText, formatCount, KeyValueList, Sheet, Stack, type State, StateMark } from '@portal/ui';
import { AddressText } from '@portal/ui/action/AddressText';
import { useState } from 'react';
import { manifestRenewalMs } from './life.ts';
import { ValidityBar } from './ValidityBar.tsx';

type Manifest = NonNullable<RpkiStatus['keys'][number]['manifest']>;

/** A manifest and its CRL are renewed twice a day; one near its end means that the publisher isn't running. */
function healthOf(manifest: Manifest | null | undefined, now: number): [State, string] {
  if (!manifest) return ['pending', 'Not published yet'];
  const left = Date.parse(manifest.nextUpdate) - now;
  if (left <= 0) return ['invalid', 'Ended: validators ignore your ROAs'];
  return left < manifestRenewalMs / 2 ? ['warning', 'Late: the registry is looking into it'] : ['valid', 'Up to date'];
}

/** The last publication, and how long manifest and CRL hold. */
export function PublicationHealth({ status: { keys, repository, isPublishing, unpublished, mode } }: { status: RpkiStatus }) {
  const [now] = useState(() => Date.now());
  if (mode === 'suspended') return null;
  const manifest = keys.find(({ state }) => state === 'current')?.manifest;
  const isLeftOut = unpublished.waitingSince !== null;
  const [state, word] = isLeftOut
    ? (['warning', 'Changes are left out'] as const)
    : isPublishing
      ? (['pending', 'Publishing'] as const)
      : healthOf(manifest, now);
  return (
    <Sheet title="Publication" meta={<StateMark state={state}>{word}</StateMark>}>
      <Stack gap={16}>
        {unpublished.waitingSince !== null && (
          <Banner kind="error" title="Your changes are not published.">
            They have waited since <DateText value={unpublished.waitingSince} shape="utc" />, and are left out so that others’ are
            published. What was published before stays. The registry is looking into it.
          </Banner>
        )}
        {unpublished.files.length > 0 && (
          <Banner
            kind="warning"
            title={
              unpublished.files.length === 1
                ? 'A file is not in rsync.'
                : `${formatCount(unpublished.files.length)} files are not in rsync.`
            }
          >
            Validators that use RRDP have {unpublished.files.length === 1 ? 'it' : 'them'}. The registry is looking into it.{' '}
            {unpublished.files
              .slice(0, 5)
              .map(({ uri, problem }) => `${uri}: ${problem}`)
              .join('. ')}
            .
          </Banner>
        )}
        {manifest && (
          <ValidityBar
            label="Manifest and revocation list"
            from={manifest.thisUpdate}
            to={manifest.nextUpdate}
            renewMs={manifestRenewalMs}
            renewal="renewed 12 hours"
            shape="utc"
          />
        )}
        <KeyValueList
          items={[
            ...(repository.publishedAt
              ? [
                  { key: 'Last publication', value: <DateText value={repository.publishedAt} shape="utc" /> },
                  { key: 'RRDP serial', value: formatCount(repository.serial ?? 0) },
                ]
              : []),
            ...(manifest ? [{ key: 'Manifest and revocation list (CRL)', value: `Number ${formatCount(manifest.number)}` }] : []),
            { key: 'rsync', value: <AddressText text={repository.rsync} copy="Copy the rsync address" /> },
            {
              key: 'RRDP',
              value: repository.notification ? (
                <AddressText text={repository.notification} copy="Copy the RRDP address" />
              ) : (
                'RRDP is off: needs an https address'
              ),
            },
          ]}
        />
      </Stack>
    </Sheet>
  );
}
