import {
  type CallAnswer,
  type KitRefusal,
  Page,
  reading,
  useAccount,
  useAddress,
  useAnswer,
  useDownload,
  useKit,
  useRefusal,
} from '@portal/app-kit';
import { member } from '@portal/contract';
import { downloadFormats, maxDownloadedRanges, whoisDownload } from '@portal/contract/whois/download';
import { whois, type WhoisClass, whoisClasses } from '@portal/contract/whois/whois';
import { parseResource, ResourceSyntaxError } from '@portal/number-resources';
import {
  Banner,
  Button,
  Checkbox,
  EmptyState,
  Field,
  formatCount,
  FormColumn,
  LinkButton,
  Row,
  Segmented,
  Select,
  Sheet,
  SkeletonLines,
  TextArea,
} from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { isDay } from '@portal/ui/picker/DayRange';
import { ClassChips } from './ClassChips.tsx';
import styles from './DownloadPage.module.css';

const formatWords = { rpsl: 'Text (RPSL)', json: 'JSON', csv: 'CSV' } as const;
const formatHelp = {
  rpsl: 'Text you can edit and upload again under Text upload. Private assignments are comments.',
  json: 'Every object with its attributes in order.',
  csv: 'A table of keys, names and maintainers only.',
} as const;
/** From this many objects on a file is compressed by default. */
const manyObjects = 1_000;
const pauseMs = 400;
const privateAccess = { access: member('whois-private-objects-view', { staff: 'private-data' }) };

const sizeWords = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
const countOf = (count: number, one: string, many: string): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** The classes to choose from: those the account has objects of, and those that are chosen. */
const classesWith = (found: readonly { class: string; objects: number }[], chosen: readonly WhoisClass[]) =>
  whoisClasses
    .map(name => ({ name, objects: found.find(each => each.class === name)?.objects ?? 0 }))
    .filter(({ name }) => chosen.includes(name) || found.some(each => each.class === name));

/** Reads the selection from the address. */
function useChoice() {
  const address = useAddress();
  const since = address.get('since') ?? '';
  return {
    set: (change: Parameters<typeof address.set>[0]) => address.set(change),
    classes: (address.get('classes') ?? '').split(',').filter((name): name is WhoisClass => whoisClasses.some(each => each === name)),
    maintainer: address.get('maintainer') ?? '',
    ranges: address.get('ranges') ?? '',
    children: address.oneOf('children', ['yes', 'no']),
    since: isDay(since) ? since : '',
    format: address.oneOf('format', downloadFormats),
    isPrivate: address.get('private') === 'yes',
    gzip: address.get('gzip'),
  };
}

type Choice = ReturnType<typeof useChoice>;
type DownloadCount = CallAnswer<typeof whoisDownload.countDownload>;

/** /resources/download: whois objects of the account in one file. The selection is part of the address, so that it can be repeated. */
export default function DownloadPage() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const choice = useChoice();
  const { classes, format } = choice;
  const noPrivate = useRefusal(privateAccess);
  const about = {
    ...(choice.maintainer !== '' && { maintainer: choice.maintainer }),
    ...(choice.ranges !== '' && { ranges: choice.ranges, children: choice.children }),
    ...(choice.since !== '' && { changedSince: choice.since }),
  };
  const isRight = wrongIn(linesOf(choice.ranges)) === null;
  const [isMistyped, setWrong] = useState(!isRight);
  const { data, error, isPlaceholderData } = useQuery({
    enabled: isRight,
    ...reading(call, whoisDownload.countDownload, { account, query: { ...about, ...(noPrivate === null && { privateOnes: 'yes' }) } }),
    placeholderData: keepPreviousData,
  });
  if (error && isRight) throw error;

  const isChosen = ({ class: name }: { class: string }) => classes.length === 0 || classes.some(each => each === name);
  const held = data?.classes.filter(isChosen) ?? [];
  const objects = held.reduce((sum, each) => sum + each.objects, 0);
  const bytes = held.reduce((sum, each) => sum + each.bytes, 0);
  const privates = noPrivate === null && choice.isPrivate ? (data?.privateOnes ?? 0) : 0;
  const isPacked = choice.gzip === null ? objects >= manyObjects : choice.gzip === 'yes';
  const isNarrowed = Object.keys(about).length > 0;
  const [isBusy, setBusy] = useState(false);
  const download = useDownload(whoisDownload.downloadObjects);
  const save = async () => {
    setBusy(true);
    const query = { ...about, classes: classes.join(','), format, ...(isPacked && { gzip: 'yes' as const }) };
    await download({ account, query: { ...query, ...(privates > 0 && { privateOnes: 'yes' }) } });
    setBusy(false);
  };
  const isEmpty = data !== undefined && data.objects === 0 && data.privateOnes === 0 && !isNarrowed;
  return (
    <Page title="Bulk download" sub="Your whois objects in one file, exactly as stored. Maintainer credentials are never included.">
      <AccountNote />
      <Sheet
        aria-label="What to download"
        footer={
          !isEmpty && (
            <Row gap={12} wrap>
              <Button
                variant="primary"
                icon="download"
                busy={isBusy}
                refusal={
                  isMistyped
                    ? { reason: 'Fix the ranges first' }
                    : data !== undefined && objects + privates === 0
                      ? { reason: 'No objects match' }
                      : null
                }
                onClick={() => void save()}
              >
                Download {data === undefined || isMistyped ? 'objects' : countOf(objects, 'object', 'objects')}
              </Button>
              <output className={styles.holds} aria-busy={isPlaceholderData || undefined}>
                {!isMistyped && fileWords({ privates, bytes: format === 'csv' ? 0 : bytes, isPacked })}
              </output>
            </Row>
          )
        }
      >
        {data === undefined && isRight ? (
          <SkeletonLines lines={6} label="Counting the objects" />
        ) : isEmpty ? (
          <EmptyState title="No whois objects yet" action={<LinkButton href="/resources/maintainer">Set up a maintainer</LinkButton>}>
            You can download objects you maintain and those the registry keeps for your delegations.
          </EmptyState>
        ) : (
          <Selection choice={choice} data={data} held={held} isPacked={isPacked} noPrivate={noPrivate} onWrong={setWrong} />
        )}
      </Sheet>
    </Page>
  );
}

/** Which objects, of which maintainer and numbers, in which format. */
function Selection({
  choice,
  data,
  held,
  isPacked,
  noPrivate,
  onWrong,
}: {
  choice: Choice;
  data: DownloadCount | undefined;
  held: readonly { class: string }[];
  isPacked: boolean;
  noPrivate: KitRefusal | null;
  onWrong: (isWrong: boolean) => void;
}) {
  const { accountName: account } = useAccount();
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const { set, classes, format } = choice;
  return (
    <FormColumn>
      <ClassChips
        legend="Object types (all if none selected)"
        classes={classesWith(data?.classes ?? [], classes)}
        chosen={classes}
        onChange={next => set({ classes: next.join(',') })}
      />
      <Ranges value={choice.ranges} onChange={ranges => set({ ranges })} onWrong={onWrong} />
      {choice.ranges !== '' && (
        <Checkbox
          checked={choice.children === 'yes'}
          help="Smaller networks, routes and reverse zones; for AS numbers the routes they originate."
          onChange={({ target }) => set({ children: target.checked ? null : 'no' })}
        >
          Include more specific
        </Checkbox>
      )}
      <Field label="Maintainer" optional>
        <Select
          value={choice.maintainer}
          onChange={({ target }) => set({ maintainer: target.value })}
          options={[
            { value: '', label: 'Any maintainer' },
            ...[...new Set([...maintainers.map(({ maintainer }) => maintainer), ...(choice.maintainer ? [choice.maintainer] : [])])].map(
              value => ({ value, label: value }),
            ),
          ]}
        />
      </Field>
      <Field label="Changed since" optional>
        <DateInput
          value={choice.since}
          onChange={({ target }) => (target.value === '' || isDay(target.value)) && set({ since: target.value })}
        />
      </Field>
      <Checkbox
        checked={choice.isPrivate && noPrivate === null}
        disabled={noPrivate !== null}
        help={noPrivate === null ? 'Customer assignments that aren’t shown in whois.' : <>Left out. {noPrivate.reason}.</>}
        onChange={({ target }) => set({ private: target.checked ? 'yes' : null })}
      >
        Private assignments{noPrivate === null && data !== undefined && ` (${formatCount(data.privateOnes)})`}
      </Checkbox>
      <div>
        <Segmented
          label="Format"
          options={downloadFormats.map(value => ({ value, label: formatWords[value] }))}
          value={format}
          onChange={next => set({ format: next === 'rpsl' ? null : next })}
        />
      </div>
      <p className="small muted">{formatHelp[format]}</p>
      <Checkbox checked={isPacked} onChange={({ target }) => set({ gzip: target.checked ? 'yes' : 'no' })}>
        Packed (gzip)
      </Checkbox>
      {data !== undefined && data.masked > 0 && held.some(each => each.class === 'person') && (
        <Banner title={`${countOf(data.masked, 'person is', 'persons are')} without name and address.`}>
          They’re included for people who can see the contacts of {account}.
        </Banner>
      )}
    </FormColumn>
  );
}

/** Shows what the file contains besides public objects, and its size before compression; `bytes` is 0 if unknown. */
const fileWords = ({ privates, bytes, isPacked }: { privates: number; bytes: number; isPacked: boolean }): string =>
  [
    ...(privates > 0 ? [`with ${countOf(privates, 'private assignment', 'private assignments')}`] : []),
    ...(bytes > 0 ? [`about ${sizeWords(bytes)}${isPacked ? ' before it is packed' : ''}`] : []),
  ].join(', ');

const linesOf = (text: string): string[] =>
  text
    .split(/[,;\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '');

/** Returns what is wrong with the first invalid range. */
function wrongIn(lines: readonly string[]): string | null {
  if (lines.length > maxDownloadedRanges) return `${lines.length} ranges entered. Enter at most ${maxDownloadedRanges}`;
  for (const line of lines)
    try {
      parseResource(line);
    } catch (error) {
      if (error instanceof ResourceSyntaxError) return error.message;
      throw error;
    }
  return null;
}

/** Prefixes, ranges and AS numbers, one a line or with commas between. They apply once they are valid and the person stops typing. */
function Ranges({ value, onChange, onWrong }: { value: string; onChange: (ranges: string) => void; onWrong: (isWrong: boolean) => void }) {
  const [text, setText] = useState(linesOf(value).join('\n'));
  const [wrong, setWrong] = useState(() => wrongIn(linesOf(value)));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Field label="Ranges" optional help="Prefixes, address ranges or AS numbers, one per line." error={wrong}>
      <TextArea
        mono
        rows={2}
        value={text}
        spellCheck={false}
        maxLength={2_500}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            const lines = linesOf(target.value);
            const found = wrongIn(lines);
            setWrong(found);
            onWrong(found !== null);
            if (found === null) onChange(lines.join(','));
          }, pauseMs);
        }}
      />
    </Field>
  );
}
