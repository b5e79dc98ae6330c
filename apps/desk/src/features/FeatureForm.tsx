import { useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import {
  type FeatureDetails,
  type FeatureSetting,
  features,
  type Standing,
  standingNames,
  standings,
} from '@portal/contract/features/features';
import { Banner, Button, ButtonRow, Field, Select, Sheet, TextArea, TextInput } from '@portal/ui';
import { countInWords, namesIn } from './feature-words.ts';

type Typed = { stands: Standing; share: string; accounts: string; reason: string };

const refresh = [features.getFeature, features.listFeatures, features.getAccountFeature];

type Props = {
  details: FeatureDetails;
  /** The setting with which it begins: the one in force, or an earlier one that is set again. */
  begin: FeatureSetting;
  onClose: () => void;
};

/** The form of the next setting of a feature. It applies immediately. */
export function FeatureForm({ details, begin, onClose }: Props) {
  const { notify } = useKit();
  const { feature, title, setting, accountsByShare, accountsTotal } = details;
  const change = useChange(features.setFeature, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: `“${title}” is switched. It applies now.` });
      onClose();
    },
  });
  const initial: Typed = {
    stands: begin.stands,
    share: String(begin.share ?? 10),
    accounts: begin.accounts.join('\n'),
    reason: '',
  };
  const form = useForm(features.setFeature.body, initial, {
    name: 'feature',
    ifEmpty: {
      share: 'Enter a share from 1 to 99 percent',
      accounts: 'Name at least one account, such as EXAMPLE-AU',
      reason: 'Say why in a few words, such as: the first members try it',
    },
    toBody: ({ stands, share, accounts, reason }) => ({
      edition: setting.edition,
      stands,
      share: stands === 'share' ? (/^\d{1,3}$/.test(share.trim()) ? Number(share) : Number.NaN) : null,
      accounts: stands === 'accounts' || stands === 'share' ? namesIn(accounts) : [],
      reason,
    }),
    check: ({ stands, accounts }) => ({
      accounts: stands === 'accounts' && namesIn(accounts).length === 0 ? 'Name at least one account, such as EXAMPLE-AU' : undefined,
    }),
    fieldAt: place => place.replace(/^accounts\..*$/, 'accounts'),
    shownElsewhere: ['STALE'],
    change,
    send: body => change.mutate({ feature, body }),
  });
  const { stands, share } = form.values;
  const inShare = accountsByShare[Number(share)];
  const isShare = stands === 'share';
  return (
    <Sheet title="Change">
      <Form form={form} label={`Change ${title}`}>
        {change.error?.code === 'STALE' && (
          <Banner kind="error" title="Someone else changed this feature.">
            Load the page again, then repeat your change.
          </Banner>
        )}
        <Field label="For whom it is on" {...form.field('stands')}>
          <Select {...form.input('stands')}>
            {standingNames.map(name => (
              <option key={name} value={name}>
                {standings[name]}
              </option>
            ))}
          </Select>
        </Field>
        {isShare && (
          <Field
            label="Share in percent"
            help={
              inShare === undefined
                ? 'An account that is in a share stays in each larger one.'
                : `${countInWords(inShare, accountsTotal)} now. An account that is in a share stays in each larger one.`
            }
            {...form.field('share')}
          >
            <TextInput inputMode="numeric" {...form.input('share')} />
          </Field>
        )}
        {(isShare || stands === 'accounts') && (
          <Field
            label={isShare ? 'Accounts beside the share' : 'Accounts'}
            optional={isShare}
            help={isShare ? 'They have it whatever the share is. One on each line.' : 'One on each line, such as EXAMPLE-AU.'}
            {...form.field('accounts')}
          >
            <TextArea rows={4} mono spellCheck={false} {...form.input('accounts')} />
          </Field>
        )}
        <Field label="Reason" help="For the history of the feature and the activity log." {...form.field('reason')}>
          <TextInput dir="auto" {...form.input('reason')} />
        </Field>
        <p className="quiet small">
          It applies immediately: members see it with the next page they open, and calls are refused or accepted from the next one on. You
          undo it by setting it as it was before.
        </p>
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Apply now
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
