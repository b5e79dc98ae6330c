import { useAccount, useAnswer, useChange, useKit } from '@portal/app-kit';
import { type Delivery, deliveries } from '@portal/contract/notifications/deliveries';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { Field, FormColumn, Select, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';

const choices = Object.entries(deliveries).map(([value, label]) => ({ value, label }));

/** The person's own subscription: each contact chooses. Registry staff who see the account have none. */
export function AlertDelivery({ children }: { children?: ReactNode }) {
  return useAccount().asStaff ? null : <OwnDelivery>{children}</OwnDelivery>;
}

function OwnDelivery({ children }: { children?: ReactNode }) {
  const { topics } = useAnswer(notificationPreferences.getNotificationPreferences, {});
  const { notify } = useKit();
  const save = useChange(notificationPreferences.saveNotificationPreference, {
    refresh: [notificationPreferences.getNotificationPreferences],
    onDone: () => notify({ text: 'Saved how you get alerts.' }),
  });
  const mine = topics.find(({ topic }) => topic === 'routes.alerts');
  if (!mine) return null;
  return (
    <Sheet title="How you get alerts">
      <FormColumn>
        <Field label="Delivery" help="For you, in all your accounts. The portal always shows them.">
          <Select
            value={mine.delivery}
            options={choices}
            onChange={({ target }) => save.mutate({ body: { topic: 'routes.alerts', delivery: target.value as Delivery } })}
          />
        </Field>
        {children}
      </FormColumn>
    </Sheet>
  );
}
