import { Page, read, useAccount, useAddress, useAnswer, useSteadyAnswer } from '@portal/app-kit';
import { maxZonesAtOnce, type ReverseZone, reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { Banner, Button, Checkbox, EmptyState, Field, FormColumn, Link, Row, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import styles from './AddZones.module.css';
import { ZoneForm } from './ZoneForm.tsx';
import { hrefOfAdding, hrefOfZone, stateWords } from './zone-words.ts';

const words = {
  ipv4: {
    title: 'Add IPv4 reverse delegations',
    sub: 'The registry delegates at /24, /16 and /8: a /22 needs four zones. Parts of a /24 are handed on inside its zone (RFC 2317).',
    example: '198.18.4.0/22',
  },
  ipv6: {
    title: 'Add IPv6 reverse delegations',
    sub: 'The registry delegates at every fourth bit: a /35 needs two zones, those of its two /36.',
    example: '2001:db8::/32',
  },
} as const;

/** The wizard: prefix, exact zones, name servers, keys, contacts, review. `?prefix=` opens it at the zones. */
export function AddZones({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const prefix = address.get('prefix') ?? '';
  const [text, setText] = useState(prefix);
  const { title, sub, example } = words[kind];
  return (
    <Page title={title} sub={sub}>
      <AccountNote />
      <Stack gap={16}>
        <Sheet title="Prefix">
          <form
            onSubmit={event => {
              event.preventDefault();
              address.set({ prefix: text.trim() }, { step: true });
            }}
          >
            <FormColumn>
              <Field label="Prefix, range or zone name" help={`Your own space, or a part of it, such as ${example}.`}>
                <TextInput mono value={text} onChange={event => setText(event.target.value)} autoComplete="off" />
              </Field>
              <Row gap={8}>
                <Button type="submit" variant={prefix === '' ? 'primary' : 'default'}>
                  Show its zones
                </Button>
              </Row>
              <FirstRead reads={[read(reverseDns.getSummary, { account })]} fallback={null}>
                <Suggestions kind={kind} />
              </FirstRead>
            </FormColumn>
          </form>
        </Sheet>
        {prefix !== '' && (
          <FirstRead
            key={prefix}
            reads={[read(reverseDns.planZones, { account, query: { prefix } }), read(reverseDns.getSummary, { account })]}
            fallback={<TableSkeleton />}
          >
            <Planned key={prefix} prefix={prefix} kind={kind} />
          </FirstRead>
        )}
      </Stack>
    </Page>
  );
}

/** Prefixes of the holding that have zones without a delegation. */
function Suggestions({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const { accountName: account } = useAccount();
  const { blocks } = useAnswer(reverseDns.getSummary, { account });
  const open = blocks.filter(block => block.kind === kind && block.cells.some(({ state }) => state === 'missing' || state === 'partly'));
  if (open.length === 0) return <p className="small quiet">Every zone of this space is delegated.</p>;
  return (
    <p className="small">
      Not fully delegated:{' '}
      {open.slice(0, 6).map((block, index) => (
        <span key={block.prefix}>
          {index > 0 && ', '}
          <Link href={hrefOfAdding(kind, block.prefix)} className="mono">
            {block.prefix}
          </Link>
        </span>
      ))}
    </p>
  );
}

const isOpen = ({ state }: ReverseZone): boolean => state === 'missing';

function Planned({ prefix, kind }: { prefix: string; kind: 'ipv4' | 'ipv6' }) {
  const { accountName: account } = useAccount();
  const { contacts } = useAnswer(reverseDns.getSummary, { account });
  const { answer: plan } = useSteadyAnswer(reverseDns.planZones, { account, query: { prefix } });
  const zones = plan.rows.filter(row => row.version === null || plan.rows.length <= maxZonesAtOnce);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => {
    const open = zones.filter(isOpen);
    return new Set((open.length > 0 ? open : []).slice(0, maxZonesAtOnce).map(({ zone }) => zone));
  });
  if (plan.problem !== null)
    return (
      <Banner kind="warning" title={`${plan.problem}.`}>
        {plan.suggestion && (
          <>
            Try <Link href={hrefOfAdding(plan.suggestion.includes(':') ? 'ipv6' : 'ipv4', plan.suggestion)}>{plan.suggestion}</Link>.
          </>
        )}
      </Banner>
    );
  if (zones[0] && zones[0].kind !== kind)
    return (
      <Banner title="This is the other kind of address.">
        Go on under <Link href={hrefOfAdding(zones[0].kind, prefix)}>{words[zones[0].kind].title}</Link>.
      </Banner>
    );
  if (zones.length === 0) return <EmptyState title="No zones">This prefix needs no zones.</EmptyState>;
  const toggle = (zone: string): void => {
    const next = new Set(chosen);
    if (!next.delete(zone)) next.add(zone);
    setChosen(next);
  };
  const replaced = zones.filter(({ zone, version }) => version !== null && chosen.has(zone));
  const choice = (
    <Sheet
      title={`Zones of ${plan.prefix}`}
      meta={
        <span>
          {zones.length === 1 ? '1 zone' : `${zones.length} zones`}, {chosen.size} chosen
        </span>
      }
      actions={
        zones.length > 1 ? (
          <Row gap={8}>
            <Button size="s" onClick={() => setChosen(new Set(zones.filter(isOpen).map(({ zone }) => zone)))}>
              Missing
            </Button>
            <Button size="s" onClick={() => setChosen(new Set(chosen.size === zones.length ? [] : zones.map(({ zone }) => zone)))}>
              {chosen.size === zones.length ? 'None' : 'All'}
            </Button>
          </Row>
        ) : undefined
      }
    >
      <ul className={styles.zones} aria-label="Zones to delegate">
        {zones.map(row => (
          <li key={row.zone}>
            <Checkbox
              checked={chosen.has(row.zone)}
              onChange={() => toggle(row.zone)}
              help={row.state === 'missing' ? row.prefix : `${row.prefix}: ${stateWords[row.state].word}`}
            >
              <span className="mono">{row.zone}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {replaced.length > 0 && (
        <Banner kind="warning" title={`${replaced.length === 1 ? 'One zone is' : `${replaced.length} zones are`} delegated already.`}>
          Name servers and keys below replace those of today. See <Link href={hrefOfZone(replaced[0]!.zone)}>{replaced[0]!.zone}</Link>.
        </Banner>
      )}
    </Sheet>
  );
  return (
    <ZoneForm zones={zones.filter(({ zone }) => chosen.has(zone)).map(({ zone }) => zone)} from={null} choice={choice} usual={contacts} />
  );
}
