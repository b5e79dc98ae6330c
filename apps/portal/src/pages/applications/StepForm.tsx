import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { Uploads } from '@portal/app-kit/documents/uploads';
import {
  ApplicationDraft,
  type ApplicationProblem,
  type ApplicationStep,
  applicationSteps,
} from '@portal/contract/applications/application-form';
import type { ApplicationDetail, ApplicationTerms } from '@portal/contract/applications/applications';
import { Button, ButtonRow, Sheet, Stack } from '@portal/ui';
import { fieldsInside, type StepField } from './application-questions.ts';
import { StepFields } from './StepFields.tsx';

/** One step of an application as a form: it is saved at the registry while typing, and the next step opens only without errors. */
export function StepForm({
  step,
  application,
  draft,
  terms,
  uploads,
  problems,
  tried,
  going,
  onEdit,
  onTry,
  onGoOn,
  onBack,
}: {
  step: ApplicationStep;
  application: ApplicationDetail;
  draft: ApplicationDraft;
  terms: ApplicationTerms;
  uploads: Uploads;
  /** Problems of this step. */
  problems: readonly ApplicationProblem[];
  /** True after an attempt to leave this step. */
  tried: boolean;
  going: boolean;
  onEdit: (draft: ApplicationDraft) => void;
  onTry: () => void;
  onGoOn: () => void;
  /** Back to the step before; undefined in the first. */
  onBack: (() => void) | undefined;
}) {
  const form = useForm(ApplicationDraft, draft, {
    name: 'application',
    draft: { value: draft, set: onEdit, discard: () => undefined },
    also: fieldsInside,
    check: () => Object.fromEntries(problems.map(({ field, message }) => [field as StepField, message])),
    sentBefore: tried,
    change: { error: null, isPending: going, reset: () => undefined },
    send: () => {
      if (!uploads.sending || step !== 'documents') onGoOn();
    },
  });
  return (
    <>
      <FormProblems form={form} />
      <Sheet title={applicationSteps[step]}>
        <Form
          form={{
            ...form,
            submit(event) {
              onTry();
              form.submit(event);
            },
          }}
          label={applicationSteps[step]}
          bare
        >
          <Stack gap={16}>
            <StepFields step={step} application={application} form={form} terms={terms} uploads={uploads} />
            <ButtonRow>
              <Button
                type="submit"
                variant="primary"
                busy={form.busy}
                refusal={step === 'documents' && uploads.sending ? { reason: 'A file is still uploading' } : null}
              >
                Continue
              </Button>
              {onBack && <Button onClick={onBack}>Back</Button>}
            </ButtonRow>
          </Stack>
        </Form>
      </Sheet>
    </>
  );
}
