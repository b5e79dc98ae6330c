import { useAccount, useAnswer } from '@portal/app-kit';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { Button, DateText, Field, Segmented, Select, SkeletonLines, Stack } from '@portal/ui';
import { Suspense, useState } from 'react';

const lengths = { ipv4: ['22', '23', '24', '25', '26', '27', '28', '29'], ipv6: ['36', '40', '44', '48', '52', '56', '64'] } as const;

/** Free prefixes of a size to choose from. */
export function FreeSpace({ within, chosen, onChoose }: { within: string | null; chosen: string; onChoose: (resource: string) => void }) {
  const [kind, setKind] = useState<'ipv4' | 'ipv6'>(within?.includes(':') ? 'ipv6' : 'ipv4');
  const [length, setLength] = useState(kind === 'ipv4' ? '26' : '48');
  return (
    <Stack gap={8}>
      <Segmented
        label="Free space of"
        options={[
          { value: 'ipv4', label: 'IPv4' },
          { value: 'ipv6', label: 'IPv6' },
        ]}
        value={kind}
        onChange={next => {
          setKind(next);
          setLength(next === 'ipv4' ? '26' : '48');
        }}
      />
      <Field label="Free prefixes of length">
        <Select
          value={length}
          onChange={event => setLength(event.target.value)}
          options={lengths[kind].map(each => ({ value: each, label: `/${each}` }))}
        />
      </Field>
      <Suspense fallback={<SkeletonLines lines={2} label="Looking for free space" />}>
        <FreePrefixes
          kind={kind}
          length={Number(length)}
          within={within !== null && within.includes(':') === (kind === 'ipv6') ? within : null}
          chosen={chosen}
          onChoose={onChoose}
        />
      </Suspense>
    </Stack>
  );
}

function FreePrefixes({
  kind,
  length,
  within,
  chosen,
  onChoose,
}: {
  kind: 'ipv4' | 'ipv6';
  length: number;
  within: string | null;
  chosen: string;
  onChoose: (resource: string) => void;
}) {
  const { accountName: account } = useAccount();
  const { rows, resting } = useAnswer(whoisCustomers.listFreeSpace, { account, query: { kind, length, ...(within && { within }) } });
  const later = resting.length > 0 && (
    <ul className="small muted" aria-label="Resting space" style={{ margin: 0, paddingLeft: 16 }}>
      {resting.map(each => (
        <li key={`${each.resource} ${each.returnedOn}`}>
          <span className="mono">{each.resource}</span> rests until <DateText value={each.until} shape="date" />: returned by{' '}
          {each.customer ?? 'a customer'}
        </li>
      ))}
    </ul>
  );
  if (rows.length === 0)
    return (
      <>
        <p className="small muted">
          No /{length} is free{within ? ` in ${within}` : ''}.
        </p>
        {later}
      </>
    );
  return (
    <>
      <fieldset aria-label={`Free /${length}`} style={{ border: 0, margin: 0, padding: 0, display: 'flex', flexWrap: 'wrap', gap: 6 }}>
        {rows.map(({ resource }) => (
          <Button
            key={resource}
            size="s"
            aria-pressed={resource === chosen}
            variant={resource === chosen ? 'primary' : 'default'}
            onClick={() => onChoose(resource)}
          >
            <span className="mono">{resource}</span>
          </Button>
        ))}
      </fieldset>
      {later}
    </>
  );
}
