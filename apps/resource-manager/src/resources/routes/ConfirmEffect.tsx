import type { RouteEffect } from '@portal/contract/routes/routes';
import { Field, formatCount, TextInput } from '@portal/ui';
import type { ComponentProps } from 'react';

type Harm = Pick<RouteEffect, 'becomeInvalid' | 'loseRoa' | 'toConfirm'>;

const announcements = (count: number, does: [one: string, more: string]): string =>
  count === 1 ? `1 announcement ${does[0]}` : `${formatCount(count)} announcements ${does[1]}`;

/** Describes in full sentences what a change does to announcements that networks see. */
export const harmOf = ({ becomeInvalid, loseRoa }: Harm): string =>
  [
    becomeInvalid > 0 &&
      `${announcements(becomeInvalid, ['becomes invalid', 'become invalid'])}. Many networks drop those within the hour.`,
    loseRoa > 0 &&
      `${announcements(loseRoa, ['loses its last ROA', 'lose their last ROA'])}, so others can announce the same and be believed.`,
  ]
    .filter(Boolean)
    .join(' ');

/** The field for the number to type before a change harms announcements, with what happens to them. */
export function ConfirmEffect({
  effect,
  field,
  input,
}: {
  effect: Harm;
  /** Id and problem, and the props of the control, of the form around it. */
  field: { id: string; error: string | undefined };
  input: ComponentProps<typeof TextInput>;
}) {
  return (
    <Field label={`Type ${effect.toConfirm} to confirm`} help={harmOf(effect)} {...field}>
      <TextInput mono inputMode="numeric" {...input} />
    </Field>
  );
}
