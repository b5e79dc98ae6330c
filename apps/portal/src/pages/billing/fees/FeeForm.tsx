import { economyWords } from '@portal/app-kit/words/organisation-words';
import { money } from '@portal/app-kit/words/billing-words';
import { type CountedHoldings, type FeeEstimate, type FeeEstimates, feeKinds } from '@portal/contract/billing/fee-estimates';
import { Button, Checkbox, Field, formatCount, KindMark, Row, Select, Sheet, Stack, TextInput } from '@portal/ui';
import { useId, useRef } from 'react';
import styles from './FeeCalculatorPage.module.css';
import { asnsOf, type FeeQuestion } from './fee-question.ts';
import { countOf, type HoldingRow, maxRows, readRow } from './holding-rows.ts';

/** Fields for the holdings and their holder; each edit recalculates the fee. */
export function FeeForm({
  question,
  held,
  choices,
  schedule: { schedule, currency },
  change,
  reset,
}: {
  question: FeeQuestion;
  held: CountedHoldings | null;
  choices: FeeEstimates['choices'];
  schedule: FeeEstimate;
  change: (next: Partial<FeeQuestion>) => void;
  reset: () => void;
}) {
  const kinds = (Object.keys(feeKinds) as (keyof typeof feeKinds)[]).filter(kind => kind !== 'nir' || held === null || held.kind === 'nir');
  const economies = [...new Set([...choices.economies, ...(question.economy ? [question.economy] : [])])]
    .map(code => ({ value: code, label: economyWords(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
  const { freeAsns, asnFee } = schedule;
  const further =
    asnFee === '0.00'
      ? 'AS numbers cost nothing in this year.'
      : `${freeAsns} are free; each further one costs ${money(currency, asnFee)}.`;
  return (
    <Sheet
      title="What if"
      actions={
        held && (
          <Button size="s" icon="refresh" onClick={reset}>
            My holdings
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <div className={styles.pair}>
          <Field label="Year of the term">
            <Select
              value={question.year}
              options={choices.years.toReversed().map(year => ({ value: String(year), label: String(year) }))}
              onChange={({ target }) => change({ year: Number(target.value) })}
            />
          </Field>
          <Field label="Account">
            <Select
              value={question.kind}
              options={kinds.map(kind => ({ value: kind, label: feeKinds[kind] }))}
              onChange={({ target }) => change({ kind: target.value as FeeQuestion['kind'] })}
            />
          </Field>
        </div>
        <Field label="Economy" help="Decides tax, and the reduction of least developed countries.">
          <Select
            value={question.economy}
            options={[{ value: '', label: 'Any other' }, ...economies]}
            onChange={({ target }) => change({ economy: target.value })}
          />
        </Field>
        <Rows family="ipv4" rows={question.ipv4} onChange={ipv4 => change({ ipv4 })} />
        <Rows family="ipv6" rows={question.ipv6} onChange={ipv6 => change({ ipv6 })} />
        <Field label="AS numbers" help={further} error={asnsOf(question.asns) === null && 'Enter a whole number from 0 to 10000'}>
          <TextInput
            className={styles.number}
            inputMode="numeric"
            value={question.asns}
            onChange={({ target }) => change({ asns: target.value })}
          />
        </Field>
        <Stack gap={6}>
          <Checkbox checked={question.newAccount} onChange={({ target }) => change({ newAccount: target.checked })}>
            A new account: add the sign-up fee
          </Checkbox>
          <Checkbox checked={question.transfer} onChange={({ target }) => change({ transfer: target.checked })}>
            {held ? 'Additional IPv4 addresses arrive by transfer' : 'The IPv4 addresses arrive by transfer'}
          </Checkbox>
        </Stack>
        {held && held.notCounted.length > 0 && <p className="small quiet">Held, and not counted: {held.notCounted.join(', ')}.</p>}
      </Stack>
    </Sheet>
  );
}

const familyNames = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
const inWords = { ipv4: 'addresses', ipv6: 'blocks of /56' } as const;
const newRow = { ipv4: '/24', ipv6: '/32' } as const;

function Rows({
  family,
  rows,
  onChange,
}: {
  family: 'ipv4' | 'ipv6';
  rows: readonly HoldingRow[];
  onChange: (rows: readonly HoldingRow[]) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const name = familyNames[family];
  const put = (at: number, part: Partial<HoldingRow>) => onChange(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  const add = () => {
    onChange([...rows, { name: newRow[family], quantity: '1' }]);
    // The new row exists after the next render.
    requestAnimationFrame(() => {
      const inputs = list.current?.querySelectorAll('input');
      inputs?.[inputs.length - 2]?.select();
    });
  };
  return (
    <fieldset className={styles.rows}>
      <legend>
        <KindMark kind={family} /> {name}{' '}
        <span className="small quiet">
          {formatCount(countOf(family, rows))} {inWords[family]}
        </span>
      </legend>
      <div ref={list} className={styles.list}>
        {rows.map((row, at) => {
          const { wrong } = readRow(family, row);
          const errors = [wrong?.name, wrong?.quantity].filter(each => each !== undefined);
          const described = errors.length > 0 ? `${id}-${at}` : undefined;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- rows are alike, and only their place tells them apart
            <div key={at}>
              <div className={styles.row}>
                <TextInput
                  mono
                  aria-label={`${name} block ${at + 1}`}
                  aria-invalid={wrong?.name !== undefined}
                  aria-describedby={described}
                  value={row.name}
                  onChange={({ target }) => put(at, { name: target.value.replaceAll(/[,*]/g, '') })}
                />
                <TextInput
                  inputMode="numeric"
                  aria-label={`How many of ${name} block ${at + 1}`}
                  aria-invalid={wrong?.quantity !== undefined}
                  aria-describedby={described}
                  value={row.quantity}
                  onChange={({ target }) => put(at, { quantity: target.value.replaceAll(/[,*]/g, '') })}
                />
                <Button
                  size="s"
                  variant="quiet"
                  icon="close"
                  aria-label={`Remove ${name} block ${at + 1}, ${row.name}`}
                  onClick={() => onChange(rows.filter((_, place) => place !== at))}
                />
              </div>
              {described && (
                <p id={described} className={styles.error}>
                  {errors.join('. ')}
                </p>
              )}
            </div>
          );
        })}
      </div>
      <Row>
        <Button
          size="s"
          variant="quiet"
          icon="plus"
          refusal={rows.length >= maxRows ? { reason: `At most ${maxRows} ${name} blocks can be calculated` } : null}
          onClick={add}
        >
          Add an {name} block
        </Button>
      </Row>
    </fieldset>
  );
}
