import type { PlanLine } from '@portal/contract/requests/request-form';
import { Button, Field, TextInput } from '@portal/ui';
import { PlanChart, type PlanLimit } from './PlanChart.tsx';
import styles from './Requests.module.css';

/** A plan of use: purposes, and the addresses needed at each point in time. */
export function PlanTable({
  plan,
  months,
  error,
  id = 'request-plan',
  limits = [],
  onChange,
}: {
  plan: readonly PlanLine[];
  months: readonly number[];
  error?: string | undefined;
  /** Of its first field. */
  id?: string;
  /** Sizes that it is drawn against; without any there is no picture. */
  limits?: readonly PlanLimit[];
  onChange: (plan: PlanLine[]) => void;
}) {
  const lines = plan.length > 0 ? plan : [{ purpose: '', amounts: [] }];
  const set = (index: number, part: Partial<PlanLine>) => onChange(lines.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className={styles.plan}>
      <legend className="strong">Addresses needed</legend>
      {limits.length > 0 && <PlanChart plan={lines} months={months} limits={limits} />}
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names of their own
        <div className={styles.planLine} key={index}>
          <Field label="Used for" error={index === 0 ? error : undefined} {...(index === 0 && { id })}>
            <TextInput
              value={line.purpose}
              maxLength={200}
              autoComplete="off"
              onChange={event => set(index, { purpose: event.target.value })}
            />
          </Field>
          {months.map((month, place) => (
            <Field key={month} label={month === 0 ? 'Now' : `${month} months`}>
              <TextInput
                inputMode="numeric"
                autoComplete="off"
                maxLength={10}
                value={line.amounts[place] ? String(line.amounts[place]) : ''}
                onChange={event =>
                  set(index, {
                    amounts: months.map((_, at) =>
                      at === place ? Number(event.target.value.replaceAll(/\D/g, '')) || 0 : (line.amounts[at] ?? 0),
                    ),
                  })
                }
              />
            </Field>
          ))}
          <Button
            variant="quiet"
            size="s"
            icon="close"
            aria-label={`Remove line ${index + 1}`}
            onClick={() => onChange(lines.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="s" icon="plus" onClick={() => onChange([...lines, { purpose: '', amounts: [] }])}>
          Add a line
        </Button>
      </div>
    </fieldset>
  );
}
