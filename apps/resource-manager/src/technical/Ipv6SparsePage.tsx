import { Page, useAddress } from '@portal/app-kit';
import {
  listZonePrefixes,
  maxPlanned,
  planSparse,
  printPrefix,
  printReverseZone,
  readResources,
  sparseMethods,
  type Prefix,
  type SparseMethod,
  type SparseStep,
} from '@portal/number-resources';
import {
  Banner,
  Button,
  CopyButton,
  Field,
  FormColumn,
  formatCount,
  Grid,
  Link,
  Row,
  Select,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { SparsePicture } from './SparsePicture.tsx';
import { readNumber, readPrefix } from './tool-address.ts';

const methods = {
  leftmost: 'Bisection (leftmost): each part as far from the others as possible',
  rightmost: 'One after another (rightmost): no room to grow',
  centermost: 'From the middle outward (centermost): boundary stays open both ways',
} as const;
const example = '2001:db8::/32';

/** /technical/ipv6sparse: in which order to hand out parts of a block so that each can grow (RFC 3531). The address holds the inputs. */
export default function Ipv6SparsePage() {
  const address = useAddress();
  const [text, setText] = useState(address.get('prefix') ?? example);
  const [used, setUsed] = useState(address.get('used') ?? '');
  const method = address.oneOf('method', sparseMethods);
  const reading = readPrefix(address.get('prefix') ?? example, null, example);
  const least = reading.prefix?.length ?? 0;
  const longest = reading.prefix?.family === 'ipv4' ? 32 : 128;
  const { text: lengthText, value: length } = readNumber(address.get('length'), {
    fallback: Math.min(longest, least + 4),
    least,
    most: longest,
  });
  const { text: countText, value: count } = readNumber(address.get('count'), { fallback: 16, least: 1, most: maxPlanned });
  const plan =
    reading.prefix && length !== null && count !== null ? planOf(reading.prefix, length, count, method, address.get('used') ?? '') : null;
  const steps = plan && 'steps' in plan ? plan.steps : [];
  const rows = steps.map(({ prefix, room }, at) => ({
    place: at + 1,
    prefix: printPrefix(prefix),
    room: printPrefix(room),
    zone: listZonePrefixes(prefix).map(printReverseZone).slice(0, 1)[0] ?? '–',
  }));
  return (
    <Page title="Sparse IPv6 planner" sub="The order in which to hand out parts of a block, so that each keeps room to grow in place.">
      <Stack gap={16}>
        <Sheet title="Block">
          <form
            onSubmit={event => {
              event.preventDefault();
              address.set({ prefix: text.trim(), used: used.trim() }, { step: true });
            }}
          >
            <Grid columns={2}>
              <FormColumn>
                <BlockField reading={reading} text={text} onType={setText} />
                <Field label="Already used" optional help="Prefixes inside the block, one a line.">
                  <TextArea mono rows={2} value={used} onChange={event => setUsed(event.target.value)} />
                </Field>
              </FormColumn>
              <FormColumn>
                <Field label="Method">
                  <Select
                    value={method}
                    onChange={event => address.set({ method: event.target.value })}
                    options={sparseMethods.map(value => ({ value, label: methods[value] }))}
                  />
                </Field>
                <Field
                  label="Length of each part"
                  error={
                    reading.prefix && length === null
                      ? `Enter a length from ${least} to ${longest}, such as ${Math.min(longest, least + 4)}`
                      : undefined
                  }
                >
                  <TextInput mono inputMode="numeric" value={lengthText} onChange={event => address.set({ length: event.target.value })} />
                </Field>
                <Field
                  label="How many"
                  help={`At most ${formatCount(maxPlanned)}.`}
                  error={count === null ? `Enter a number from 1 to ${formatCount(maxPlanned)}` : undefined}
                >
                  <TextInput mono inputMode="numeric" value={countText} onChange={event => address.set({ count: event.target.value })} />
                </Field>
              </FormColumn>
            </Grid>
            <Row gap={8} style={{ marginTop: 16 }}>
              <Button type="submit" variant="primary">
                Plan
              </Button>
            </Row>
          </form>
        </Sheet>
        {plan && 'problem' in plan && <Banner kind="error">{plan.problem}.</Banner>}
        {plan && length !== null && 'steps' in plan && (
          <>
            <SparsePicture parent={plan.parent} length={length} steps={steps} used={plan.used} />
            <PlanSheet parent={plan.parent} rows={rows} />
          </>
        )}
      </Stack>
    </Page>
  );
}

function PlanSheet({ parent, rows }: { parent: Prefix; rows: readonly PlanRow[] }) {
  const csv = (): string =>
    `place,prefix,room,zone\r\n${rows.map(row => `${row.place},${row.prefix},${row.room},${row.zone}`).join('\r\n')}\r\n`;
  return (
    <Sheet
      title="Plan"
      meta={
        <span>
          {formatCount(rows.length)} {rows.length === 1 ? 'part' : 'parts'} of {printPrefix(parent)}
        </span>
      }
      flush
      actions={
        <Row gap={8}>
          <CopyButton text={rows.map(row => row.prefix).join('\n')} label="Copy as a list">
            Copy as a list
          </CopyButton>
          <Button size="s" icon="download" onClick={() => saveTextFile('sparse-plan.csv', csv())}>
            CSV
          </Button>
        </Row>
      }
    >
      <DataTable
        caption="Parts in the order of handing out"
        columns={columns}
        rows={rows}
        rowId={row => String(row.place)}
        state={{ sort: null, hidden: [], order: [], filters: {}, page: 1 }}
      />
    </Sheet>
  );
}

function BlockField({ reading, text, onType }: { reading: ReturnType<typeof readPrefix>; text: string; onType: (text: string) => void }) {
  return (
    <Field
      label="Block"
      error={
        reading.problem && (
          <>
            {reading.problem}.{' '}
            {reading.suggestion && <Link href={`/technical/ipv6sparse?prefix=${reading.suggestion}`}>Use {reading.suggestion}</Link>}
          </>
        )
      }
    >
      <TextInput mono value={text} onChange={event => onType(event.target.value)} />
    </Field>
  );
}

/** The plan of a block, or what is wrong with the inputs. */
function planOf(
  prefix: Prefix,
  length: number,
  count: number,
  method: SparseMethod,
  usedText: string,
): { problem: string } | { parent: Prefix; used: bigint[]; steps: SparseStep[] } {
  const shift = BigInt((prefix.family === 'ipv6' ? 128 : 32) - length);
  const indexes: bigint[] = [];
  for (const item of usedText.trim() === '' ? [] : readResources(usedText).items) {
    if ('error' in item) return { problem: `Already used: ${item.error.reason}` };
    const { resource } = item;
    if (resource.family !== prefix.family || resource.first < prefix.first || resource.last > prefix.last)
      return { problem: `Already used: ${item.value} isn’t inside ${printPrefix(prefix)}` };
    const [first, last] = [(resource.first - prefix.first) >> shift, (resource.last - prefix.first) >> shift];
    if (last - first > 65_536n) return { problem: `Already used: ${item.value} has too many parts` };
    for (let index = first; index <= last; index++) indexes.push(index);
  }
  return { parent: prefix, used: indexes, steps: planSparse(prefix, length, count, method, indexes) };
}

type PlanRow = { place: number; prefix: string; room: string; zone: string };
const columns: Column<PlanRow>[] = [
  { id: 'place', label: '#', cell: row => row.place, align: 'end', width: 60 },
  { id: 'prefix', label: 'Prefix', cell: row => <span className="mono">{row.prefix}</span>, fixed: true },
  { id: 'room', label: 'Can grow to', cell: row => <span className="mono">{row.room}</span> },
  { id: 'zone', label: 'Reverse zone', cell: row => <span className="mono">{row.zone}</span>, look: 'quiet' },
];
