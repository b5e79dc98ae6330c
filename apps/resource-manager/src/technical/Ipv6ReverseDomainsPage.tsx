import { Page, useAddress } from '@portal/app-kit';
import {
  childPrefix,
  countChildren,
  listClasslessAliases,
  listZonePrefixes,
  parentPrefix,
  type Prefix,
  printClasslessZone,
  printPrefix,
  printReverseName,
  printReverseZone,
} from '@portal/number-resources';
import { Banner, Button, CopyButton, Field, formatCount, FormColumn, Link, Row, Segmented, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import { readPrefix } from './tool-address.ts';

const example = '2001:db8:12::/48';
const maxNames = 1_024;

/** /technical/ipv6reversedomains: names of the reverse zones of a prefix, PTR names, and a zone file to begin with. The address holds the inputs. */
export default function Ipv6ReverseDomainsPage() {
  const address = useAddress();
  const [text, setText] = useState(address.get('prefix') ?? example);
  const reading = readPrefix(address.get('prefix') ?? example, null, example);
  const mode = address.oneOf('mode', ['zones', 'file', 'names']);
  const output = reading.prefix ? outputOf(reading.prefix, mode) : null;
  return (
    <Page
      title="IPv6 reverse domains"
      sub="Reverse zones and PTR names of a prefix or address, IPv6 and IPv4. Nothing leaves your browser."
    >
      <Stack gap={16}>
        <Sheet title="Prefix">
          <form
            onSubmit={event => {
              event.preventDefault();
              address.set({ prefix: text.trim() }, { step: true });
            }}
          >
            <FormColumn>
              <Field
                label="Prefix or address"
                error={
                  reading.problem && (
                    <>
                      {reading.problem}.{' '}
                      {reading.suggestion && (
                        <Link href={`/technical/ipv6reversedomains?prefix=${reading.suggestion}`}>Use {reading.suggestion}</Link>
                      )}
                    </>
                  )
                }
              >
                <TextInput mono value={text} onChange={event => setText(event.target.value)} />
              </Field>
              <Row gap={8}>
                <Button type="submit" variant="primary">
                  Show names
                </Button>
              </Row>
            </FormColumn>
          </form>
        </Sheet>
        {reading.prefix && output && (
          <Sheet
            title={printPrefix(reading.prefix)}
            meta={<span>{output.meta}</span>}
            actions={
              <Row gap={8} wrap>
                <Segmented
                  label="Output"
                  options={[
                    { value: 'zones', label: 'Zones' },
                    { value: 'file', label: 'Zone file' },
                    { value: 'names', label: 'PTR names' },
                  ]}
                  value={mode}
                  onChange={next => address.set({ mode: next === 'zones' ? null : next })}
                />
                <CopyButton text={output.text} label="Copy">
                  Copy
                </CopyButton>
              </Row>
            }
          >
            {output.note && <Banner>{output.note}</Banner>}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide lines scroll, and the keyboard has to reach them */}
            <pre className="mono" tabIndex={0} style={{ overflowX: 'auto', margin: 0 }}>
              {output.text}
            </pre>
          </Sheet>
        )}
      </Stack>
    </Page>
  );
}

function outputOf(prefix: Prefix, mode: 'zones' | 'file' | 'names'): { text: string; meta: string; note: string | null } {
  const bits = prefix.family === 'ipv6' ? 128 : 32;
  const zones = listZonePrefixes(prefix).map(printReverseZone);
  const classless = printClasslessZone(prefix);
  const step = prefix.family === 'ipv6' ? 4 : 8;
  const note =
    classless !== undefined
      ? `Smaller than a /24: the holder of the /24 delegates ${classless} inside its zone and points each name there (RFC 2317).`
      : prefix.length % step !== 0
        ? `/${prefix.length} is between two boundaries, so it takes ${zones.length} zones.`
        : null;
  const named = zones.length > 0 ? zones : [classless ?? ''];
  if (mode === 'zones') return { text: named.join('\n'), meta: named.length === 1 ? '1 zone' : `${named.length} zones`, note };
  if (mode === 'file') {
    const file = named.slice(0, 16).map(
      zone => `$ORIGIN ${zone}.
$TTL 3600
@ IN SOA ns1.example.net. hostmaster.example.net. (
    1          ; serial
    14400      ; refresh, 4 hours
    3600       ; retry, 1 hour
    1209600    ; expire, 2 weeks
    3600 )     ; negative answers, 1 hour
@ IN NS ns1.example.net.
@ IN NS ns2.example.net.
; ${samplePtr(prefix, zone)}
`,
    );
    const parent = parentLines(prefix);
    return {
      text: [...file, ...(parent === null ? [] : [parent])].join('\n'),
      meta: parent === null ? 'A zone file to begin with' : 'A zone file to begin with, and the lines for the zone of the /24',
      note,
    };
  }
  const length = prefix.length === bits ? bits : prefix.family === 'ipv6' && prefix.length < 64 ? 64 : bits;
  const total = countChildren(prefix, length);
  const count = Number(total > BigInt(maxNames) ? BigInt(maxNames) : total);
  const names = Array.from({ length: count }, (_, index) => {
    const child = childPrefix(prefix, length, BigInt(index));
    return length === bits ? `${printReverseName({ family: child.family, value: child.first })}.` : `${printReverseZone(child)}.`;
  });
  const what = length === 64 && bits === 128 ? 'zones of its /64' : 'PTR names';
  return {
    text: names.join('\n'),
    meta: total > BigInt(maxNames) ? `The first ${maxNames} of ${formatCount(total)} ${what}` : `${count} ${what}`,
    note,
  };
}

/** Returns what the holder of the /24 adds to its own zone for a part of it; null for prefixes with their own zones. */
function parentLines(prefix: Prefix): string | null {
  const zone = printClasslessZone(prefix);
  if (zone === undefined) return null;
  const around = printReverseZone(parentPrefix(prefix, 24));
  const label = zone.slice(0, -around.length - 1);
  return `; For the holder of the /24: these lines go into the zone ${around},
; in place of its PTR records for the same addresses.
$ORIGIN ${around}.
${label} IN NS ns1.example.net.
${label} IN NS ns2.example.net.
${listClasslessAliases(prefix)
  .map(alias => `${alias.label} IN CNAME ${alias.target}.`)
  .join('\n')}
`;
}

function samplePtr(prefix: Prefix, zone: string): string {
  const name = printReverseName({ family: prefix.family, value: prefix.first });
  if (zone === printClasslessZone(prefix)) return `${name.split('.')[0]!} IN PTR host.example.net.`;
  return name.endsWith(`.${zone}`) ? `${name.slice(0, -zone.length - 1)} IN PTR host.example.net.` : 'PTR records go here';
}
