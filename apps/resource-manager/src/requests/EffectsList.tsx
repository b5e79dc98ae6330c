import type { TransferPlan } from '@portal/contract/requests/requests';
import { KeyValueList, Sheet, Stack, StateMark } from '@portal/ui';
import styles from './Requests.module.css';

const acts = {
  moves: { state: 'valid', words: 'Moves' },
  stays: { state: 'info', words: 'Stays' },
  ends: { state: 'warning', words: 'Ends' },
  changes: { state: 'pending', words: 'Changes' },
} as const;
const kinds: Record<TransferPlan['effects'][number]['what'], string> = {
  delegation: 'Delegation',
  registration: 'Registration',
  roa: 'ROA',
  whois: 'Whois object',
  reverse: 'Reverse domain',
  contact: 'Contact',
};

/** Lists the effects of completion on everything that uses the space. */
export function EffectsList({ plan }: { plan: TransferPlan }) {
  return (
    <Sheet title="What happens on completion" meta={`${plan.effects.length} entries, all in one step`} flush>
      <Stack gap={0}>
        <div style={{ padding: '0 16px' }}>
          <KeyValueList
            items={[
              { key: 'Moves', value: plan.moves.join(', ') },
              { key: 'Kept', value: plan.keeps.length > 0 ? plan.keeps.join(', ') : 'The delegations move whole' },
              ...(plan.fee ? [{ key: 'Transfer fee', value: `${plan.fee.currency} ${plan.fee.amount}, paid by ${plan.fee.payer}` }] : []),
            ]}
          />
        </div>
        <ul className={styles.list}>
          {plan.effects.map(({ what, name, today, act, on }) => (
            <li key={`${what} ${name}`}>
              <div>
                <div className="mono">{name}</div>
                <div className="small quiet">
                  {kinds[what]}: {today}
                </div>
                <div className="small">{on}</div>
              </div>
              <StateMark state={acts[act].state}>{acts[act].words}</StateMark>
            </li>
          ))}
        </ul>
      </Stack>
    </Sheet>
  );
}
