import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { KeyValueList } from '@portal/ui';
import { Effects } from './EffectsPart.tsx';
import { Part } from './Parts.tsx';

/** Effects of a transfer when it completes. */
export function Completion({ plan }: { plan: NonNullable<StaffResourceRequest['plan']> }) {
  return (
    <Part title="On completion">
      <KeyValueList
        align="left"
        items={[
          { key: 'Moves', value: plan.moves.join(', ') },
          { key: 'Kept', value: plan.keeps.join(', ') || 'Whole delegations move' },
          ...(plan.fee
            ? [
                {
                  key: 'Fee',
                  value: `${plan.fee.amount === null ? 'Not announced' : money(plan.fee.currency, plan.fee.amount)} from ${plan.fee.payer}`,
                },
              ]
            : []),
        ]}
      />
      <Effects effects={plan.effects} />
    </Part>
  );
}
