import { Page, read, useAccount, useAddress, useAnswer, useRefusal } from '@portal/app-kit';
import { Form as FormFrame, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whoisIrts } from '@portal/contract/whois/irts';
import { whois } from '@portal/contract/whois/whois';
import { Breadcrumb, Button, FormColumn, Sheet, SkeletonRows } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AskForConsent } from '../consents/AskForConsent.tsx';
import { attachedTo, useAttachIrt } from './attach-irt.ts';
import { useCompletions } from '../editor/completions.ts';
import { IrtTarget, type Target } from './IrtTarget.tsx';
import { hrefOfIrts } from './irt-words.ts';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';

/** /resources/add-existing-irt: references an existing irt in resources of the account. */
export default function AddExistingIrtPage() {
  const account = useAccount().accountName;
  return (
    <Page
      title="Add an existing IRT object"
      sub="Abuse reports for the resources you choose go to this IRT."
      breadcrumb={<Breadcrumb items={[{ label: 'IRT objects', href: hrefOfIrts }, { label: 'Use an existing IRT' }]} />}
    >
      <FirstRead reads={[read(whois.listIrts, { account })]} fallback={<SkeletonRows rows={4} label="Loading IRT objects" />}>
        <Form />
      </FirstRead>
    </Page>
  );
}

function Form() {
  const address = useAddress();
  const { withoutTotal } = useAnswer(whois.listIrts, { account: useAccount().accountName });
  const [target, setTarget] = useState<Target>({ to: withoutTotal > 0 ? 'without' : 'chosen', keys: new Set() });
  const refusal = useRefusal(whoisIrts.attachIrt);
  const { attach, change, failed } = useAttachIrt();
  const form = useForm(
    whoisIrts.attachIrt.body,
    { irt: address.get('irt') ?? '' },
    {
      name: 'existing-irt',
      also: ['target'],
      toBody: ({ irt }) => attachedTo(irt.trim().toUpperCase(), target),
      fieldAt: place => (place === 'irt' ? place : 'target'),
      check: () => ({ ...(target.to === 'chosen' && target.keys.size === 0 && { target: 'Choose at least one resource' }) }),
      ifEmpty: { irt: 'Enter the IRT’s name, such as IRT-EXAMPLE-AU' },
      change,
      send: ({ irt }) => attach(irt, target),
    },
  );
  const items = useCompletions('irt', form.values.irt.trim());
  return (
    <FormFrame form={form} label="Use an existing IRT" bare>
      <Sheet
        aria-label="Use an existing IRT"
        footer={
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            Set IRT on resources
          </Button>
        }
      >
        <FormColumn>
          <FormProblems form={form} />
          <RefusedOutcomes outcomes={failed} title="These resources keep their current IRT:" />
          <AskForConsent outcomes={failed} text={failed.map(({ after }) => after ?? '').join('\n')} />
          <ComboBox
            label="IRT"
            mono
            searched
            {...form.field('irt')}
            value={form.values.irt}
            items={items}
            onChange={irt => form.set({ irt })}
            help="An IRT of your maintainers is set immediately. Another holder’s IRT needs their consent. They have seven days to answer."
          />
          <IrtTarget target={target} onChange={setTarget} field={form.field('target')} />
        </FormColumn>
      </Sheet>
    </FormFrame>
  );
}
