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
      notify({ text: `“${title}” is changed.` });
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
        <Field label="Available to" {...form.field('stands')}>
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
                ? 'Accounts stay in when the share grows.'
                : `${countInWords(inShare, accountsTotal)} now. Accounts stay in when the share grows.`
            }
            {...form.field('share')}
          >
            <TextInput inputMode="numeric" {...form.input('share')} />
          </Field>
        )}
        {(isShare || stands === 'accounts') && (
          <Field
            label={isShare ? 'Other accounts that have it' : 'Accounts'}
            optional={isShare}
            help={isShare ? 'These have it at any share. Enter one name per line.' : 'Enter one name per line, such as EXAMPLE-AU.'}
            {...form.field('accounts')}
          >
            <TextArea rows={4} mono spellCheck={false} {...form.input('accounts')} />
          </Field>
        )}
        <Field label="Reason" help="Shown in the history and the activity log." {...form.field('reason')}>
          <TextInput dir="auto" {...form.input('reason')} />
        </Field>
        <p className="quiet small">
          The change applies immediately, to the next page a member opens and the next call. To undo it, change it back.
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
