import { money } from '@portal/app-kit/words/billing-words';
import { actMarks, objectWords } from '@portal/app-kit/words/planned-effects';
import type { ObjectPlan, RequestForm } from '@portal/contract/requests/request-form';
import type { PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { objectInWords } from '@portal/contract/requests/request-words';
import { formatCount, KeyValueList, Select, Sheet, Stack, StateMark } from '@portal/ui';
import styles from './Requests.module.css';

const planWords: Record<ObjectPlan, string> = { move: 'Move', end: 'End', hold: 'Hold' };
type Plans = RequestForm['plans'];

/** Lists the effects of completion on everything that uses the space. `onPlan`: the plan for each object can be chosen. */
export function EffectsList({ plan, onPlan }: { plan: TransferPlan; onPlan?: (change: (before: Plans) => Plans) => void }) {
  if (plan.moves.length === 0) return null;
  const choose = ({ what, name }: PlannedEffect, act: ObjectPlan): void =>
    onPlan?.(before => [
      ...before.filter(each => each.what !== what || each.name !== name),
      { what: what as Plans[number]['what'], name, act },
    ]);
  return (
    <Sheet title="What happens on completion" meta={`${formatCount(plan.effects.length + plan.more)} entries, all in one step`} flush>
      <Stack gap={0}>
        <div style={{ padding: '0 16px' }}>
          <KeyValueList
            items={[
              { key: 'Moves', value: plan.moves.join(', ') },
              { key: 'Kept', value: plan.keeps.length > 0 ? plan.keeps.join(', ') : 'The delegations move whole' },
              ...(plan.fee
                ? [
                    {
                      key: 'Transfer fee',
                      value:
                        plan.fee.amount === null
                          ? `Paid by ${plan.fee.payer}; the registry hasn’t announced its fees`
                          : `${money(plan.fee.currency, plan.fee.amount)}, paid by ${plan.fee.payer}`,
                    },
                  ]
                : []),
            ]}
          />
        </div>
        <ul className={styles.list} aria-label="Effects">
          {plan.effects.map(effect => {
            const { what, name, today, act, on, plan: chosen } = effect;
            return (
              <li key={`${what} ${name} ${today}`}>
                <div>
                  <div className="mono">{objectInWords(name)}</div>
                  <div className="small quiet">
                    {objectWords[what]}: {today}
                  </div>
                  <div className="small">{on}</div>
                </div>
                {onPlan && chosen !== null ? (
                  <Select
                    size="s"
                    aria-label={`Plan for ${objectInWords(name)}`}
                    value={chosen}
                    options={(['move', 'hold', 'end'] as const).map(value => ({ value, label: planWords[value] }))}
                    onChange={event => choose(effect, event.target.value as ObjectPlan)}
                  />
                ) : (
                  <StateMark state={actMarks[act].state}>{actMarks[act].words}</StateMark>
                )}
              </li>
            );
          })}
        </ul>
        {plan.more > 0 && (
          <p className="small quiet" style={{ padding: '0 16px' }}>
            And {formatCount(plan.more)} more
          </p>
        )}
      </Stack>
    </Sheet>
  );
}
