import type { RouteEffect } from '@portal/contract/routes/routes';
import { Field, formatCount, TextInput } from '@portal/ui';

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
export function ConfirmEffect({ effect, typed, onType }: { effect: Harm; typed: string; onType: (typed: string) => void }) {
  return (
    <Field label={`Type ${effect.toConfirm} to confirm`} help={harmOf(effect)}>
      <TextInput mono inputMode="numeric" autoComplete="off" value={typed} onChange={({ target }) => onType(target.value)} />
    </Field>
  );
}
