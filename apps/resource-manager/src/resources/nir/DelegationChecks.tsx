import type { CallAnswer } from '@portal/app-kit';
import type { nirDelegations } from '@portal/contract/nir/delegations';
import { formatCount, KeyValueList, Meter, Mono, type State, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { shareOf } from '../../shell/amounts.ts';

type Preview = CallAnswer<typeof nirDelegations.previewNirDelegation>;
type Check = { name: string; state: State; words: ReactNode };

/** Lists what was checked before a delegation: the limit of the organisation with a picture of it, overlaps, and who receives abuse reports. */
export function DelegationChecks({ preview }: { preview: Preview }) {
  const { organisation } = preview;
  return (
    <div>
      <h3>Checks</h3>
      <KeyValueList
        align="left"
        items={checksOf(preview).map(({ name, state, words }) => ({ key: <StateMark state={state}>{name}</StateMark>, value: words }))}
      />
      {organisation && organisation.limit !== FULL && (
        <Meter label="Share of the limit" share={shareOf(BigInt(organisation.addresses), BigInt(organisation.limit))} />
      )}
    </div>
  );
}

/** All of IPv4: there is no limit. */
const FULL = String(2 ** 32);

function checksOf({ kind, organisation, around, delegation, whois }: Preview): Check[] {
  const irt = /^mnt-irt:\s*(\S+)/im.exec(whois?.after ?? '')?.[1];
  return [
    ...(organisation && organisation.limit !== FULL
      ? [
          {
            name: 'Within the limit',
            state: 'valid' as const,
            words: `The organisation has ${formatCount(BigInt(organisation.addresses))} of at most ${formatCount(BigInt(organisation.limit))} addresses then.`,
          },
        ]
      : []),
    { name: 'No overlap', state: 'valid', words: `No other delegation of ${around ?? delegation} overlaps it.` },
    ...(kind === 'asn' || !whois
      ? []
      : [
          irt === undefined
            ? { name: 'No abuse contact', state: 'warning' as const, words: 'The whois object names no IRT of its own.' }
            : {
                name: 'Abuse contact',
                state: 'valid' as const,
                words: (
                  <>
                    Reports go to <Mono>{irt}</Mono>.
                  </>
                ),
              },
        ]),
  ];
}
