import { Page, useAddress } from '@portal/app-kit';
import {
  childPrefix,
  countChildren,
  findSpecialBlock,
  listZonePrefixes,
  neighbourPrefix,
  parentPrefix,
  parseAddress,
  printAddress,
  printExpandedAddress,
  printPrefix,
  printReverseZone,
  ResourceSyntaxError,
  sparseIndex,
} from '@portal/number-resources';
import {
  Banner,
  Button,
  CopyButton,
  Field,
  formatCount,
  FormColumn,
  Grid,
  KeyValueList,
  Link,
  Row,
  Segmented,
  Sheet,
  Stack,
  TextInput,
} from '@portal/ui';
import { useState } from 'react';
import { readNumber, readPrefix } from './tool-address.ts';

type Prefix = Parameters<typeof printPrefix>[0];

const example = '2001:db8::/32';
const pageSize = 64n;

/** /technical/ipv6subnets: the subnets of a prefix, plainly or in the order of RFC 3531. The address holds the inputs. */
export default function Ipv6SubnetsPage() {
  const address = useAddress();
  const [text, setText] = useState(address.get('prefix') ?? example);
  const reading = readPrefix(address.get('prefix') ?? example, null, example);
  const { prefix } = reading;
  const longest = prefix?.family === 'ipv4' ? 32 : 128;
  const least = prefix?.length ?? 0;
  const { text: lengthText, value: length } = readNumber(address.get('length'), {
    fallback: Math.min(longest, (prefix?.length ?? 32) + 4),
    least,
    most: longest,
  });
  const order = address.oneOf('order', ['plain', 'rfc3531']);
  const lengthProblem =
    prefix && length === null ? `Enter a length from ${least} to ${longest}, such as ${Math.min(longest, least + 4)}` : null;
  return (
    <Page title="IPv6 subnet calculator" sub="Subnets of a prefix, by address or in the order of RFC 3531. Nothing leaves your browser.">
      <Stack gap={16}>
        <Sheet title="Prefix">
          <form
            onSubmit={event => {
              event.preventDefault();
              address.set({ prefix: text.trim(), page: null }, { step: true });
            }}
          >
            <FormColumn>
              <Field
                label="Prefix"
                error={
                  reading.problem && (
                    <>
                      {reading.problem}.{' '}
                      {reading.suggestion && (
                        <Link href={`/technical/ipv6subnets?prefix=${reading.suggestion}`}>Use {reading.suggestion}</Link>
                      )}
                    </>
                  )
                }
              >
                <TextInput mono value={text} onChange={event => setText(event.target.value)} />
              </Field>
              <Field label="Length of the subnets" error={lengthProblem}>
                <TextInput
                  mono
                  inputMode="numeric"
                  value={lengthText}
                  onChange={event => address.set({ length: event.target.value, page: null })}
                />
              </Field>
              <Row gap={8}>
                <Button type="submit" variant="primary">
                  Calculate
                </Button>
              </Row>
            </FormColumn>
          </form>
        </Sheet>
        {prefix && (
          <Grid columns={2}>
            <PrefixFacts prefix={prefix} />
            <Around prefix={prefix} length={length ?? least} />
          </Grid>
        )}
        {prefix && length !== null && (
          <Subnets key={`${printPrefix(prefix)} ${length} ${order}`} prefix={prefix} length={length} order={order} />
        )}
      </Stack>
    </Page>
  );
}

function Around({ prefix, length }: { prefix: Prefix; length: number }) {
  const [member, setMember] = useState('');
  return (
    <Sheet title="Around it">
      <KeyValueList
        align="left"
        items={[
          ...[-1n, 1n].map(step => {
            const near = neighbourPrefix(prefix, step);
            return { key: step < 0n ? 'Previous' : 'Next', value: near ? <Go prefix={printPrefix(near)} /> : '–' };
          }),
          ...Array.from({ length: Math.min(5, Math.ceil(prefix.length / 4)) }, (_, index) =>
            Math.max(0, (Math.ceil(prefix.length / 4) - 1 - index) * 4),
          ).map(each => ({
            key: `Parent /${each}`,
            value: <Go prefix={printPrefix(parentPrefix(prefix, each))} />,
          })),
        ]}
      />
      <FormColumn>
        <Field label="Is this address inside?" optional>
          <TextInput mono value={member} onChange={event => setMember(event.target.value)} placeholder="2001:db8::1" />
        </Field>
        {member.trim() !== '' && <p aria-live="polite">{membership(prefix, member.trim(), length)}</p>}
      </FormColumn>
    </Sheet>
  );
}

function PrefixFacts({ prefix }: { prefix: Prefix }) {
  return (
    <Sheet title={printPrefix(prefix)}>
      <KeyValueList
        align="left"
        items={[
          {
            key: 'First address',
            value: <span className="mono">{printAddress({ family: prefix.family, value: prefix.first })}</span>,
          },
          {
            key: 'Last address',
            value: <span className="mono">{printAddress({ family: prefix.family, value: prefix.last })}</span>,
          },
          {
            key: 'Written out',
            value: <span className="mono">{printExpandedAddress({ family: prefix.family, value: prefix.first })}</span>,
          },
          { key: 'Addresses', value: <span className="mono">{formatCount(prefix.last - prefix.first + 1n)}</span> },
          ...(prefix.family === 'ipv6'
            ? [
                {
                  key: '/64 subnets',
                  value: (
                    <span className="mono">{prefix.length <= 64 ? formatCount(1n << BigInt(64 - prefix.length)) : 'part of one'}</span>
                  ),
                },
              ]
            : []),
          {
            key: 'Nibble boundary',
            value: prefix.length % 4 === 0 ? 'yes' : `no: ${listZonePrefixes(prefix).length} reverse zones`,
          },
          {
            key: 'Reverse zone',
            value: <span className="mono">{listZonePrefixes(prefix).slice(0, 2).map(printReverseZone).join(', ') || '–'}</span>,
          },
          { key: 'Use', value: findSpecialBlock(prefix)?.name ?? 'Global unicast' },
        ]}
      />
    </Sheet>
  );
}

const Go = ({ prefix }: { prefix: string }) => (
  <Link href={`/technical/ipv6subnets?prefix=${prefix}`} className="mono">
    {prefix}
  </Link>
);

function membership(
  prefix: { family: 'ipv4' | 'ipv6'; first: bigint; last: bigint; length: number },
  text: string,
  length: number,
): string {
  try {
    const { family, value } = parseAddress(text);
    if (family !== prefix.family || value < prefix.first || value > prefix.last) return `No, ${text} is outside.`;
    const index = (value - prefix.first) >> BigInt((family === 'ipv6' ? 128 : 32) - Math.max(length, prefix.length));
    return `Yes, in subnet number ${formatCount(index)}${length >= prefix.length ? `, ${printPrefix(childPrefix(prefix, length, index))}` : ''}.`;
  } catch (error) {
    return error instanceof ResourceSyntaxError && error.suggestion ? `${error.message}` : `${(error as Error).message}.`;
  }
}

function Subnets({ prefix, length, order }: { prefix: Parameters<typeof printPrefix>[0]; length: number; order: 'plain' | 'rfc3531' }) {
  const address = useAddress();
  const total = countChildren(prefix, length);
  const pages = (total + pageSize - 1n) / pageSize;
  const asked = /^\d{1,39}$/.test(address.get('page') ?? '') ? BigInt(address.get('page')!) : 1n;
  const page = asked < 1n ? 1n : asked > pages ? pages : asked;
  const from = (page - 1n) * pageSize;
  const count = Number(total - from < pageSize ? total - from : pageSize);
  const rows = Array.from({ length: count }, (_, at) => {
    const place = from + BigInt(at);
    return printPrefix(childPrefix(prefix, length, order === 'plain' ? place : sparseIndex('leftmost', length - prefix.length, place)));
  });
  const go = (next: bigint): void => address.set({ page: next <= 1n ? null : String(next) });
  return (
    <Sheet
      title={`/${length} subnets`}
      meta={<span className="mono">{formatCount(total)}</span>}
      actions={
        <Row gap={8} wrap>
          <Segmented
            label="Order"
            options={[
              { value: 'plain', label: 'By address' },
              { value: 'rfc3531', label: 'RFC 3531' },
            ]}
            value={order}
            onChange={next => address.set({ order: next === 'plain' ? null : next, page: null })}
          />
          <CopyButton text={rows.join('\n')} label="Copy this page">
            Copy this page
          </CopyButton>
        </Row>
      }
      footer={
        pages > 1n ? (
          <Row gap={8} wrap>
            <Button size="s" onClick={() => go(1n)}>
              First
            </Button>
            <Button size="s" onClick={() => go(page - 1n)}>
              Previous
            </Button>
            <span className="small">
              Page {formatCount(page)} of {formatCount(pages)}
            </span>
            <Button size="s" onClick={() => go(page + 1n > pages ? pages : page + 1n)}>
              Next
            </Button>
            <Button size="s" onClick={() => go(pages)}>
              Last
            </Button>
          </Row>
        ) : undefined
      }
    >
      {rows.length === 0 ? (
        <Banner>No subnets.</Banner>
      ) : (
        <ol className="mono" start={from < 1_000_000n ? Number(from) : undefined} style={{ columns: '260px', margin: 0, paddingLeft: 48 }}>
          {rows.map(each => (
            <li key={each}>{each}</li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
