import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { brand, type BrandDesk } from '@portal/contract/brand/brand';
import { isReadable, nearestReadable, readColour, usualAccent } from '@portal/contract/brand/brand-colours';
import { brandProblem } from '@portal/contract/brand/brand-problem';
import {
  accentThemes,
  type BrandGroup,
  brandGroups,
  brandRow,
  type BrandValueName,
  brandValueNames,
  brandValues,
  isAccent,
  isLogo,
} from '@portal/contract/brand/brand-values';
import { daysAfter } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, ButtonRow, Field, Segmented, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import styles from './Brand.module.css';
import { changeHref, Colour } from './brand-words.tsx';
import { LogoField } from './LogoField.tsx';

type Values = { when: 'confirmed' | 'day'; validFrom: string; reason: string } & Record<BrandValueName, string>;

/** The form of a change. Nothing changes yet: it is previewed on pages first, then a second person confirms it. @param version a change whose version is begun with, or `new` */
export function PrepareChange({ version }: { version: string }) {
  const { notify, router } = useKit();
  const desk = useAnswer(brand.getBrand, {});
  const before = desk.changes.find(({ changeId }) => changeId === version)?.version ?? null;
  const inForce = (name: BrandValueName): string => desk.values.find(each => each.name === name)!.value;
  const isFixed = (name: BrandValueName): boolean => desk.values.find(each => each.name === name)!.fixed;
  const boundsOf = (name: BrandValueName): string => desk.values.find(each => each.name === name)!.bounds;
  const prepare = useChange(brand.prepareBrandChange, {
    refresh: [brand.getBrand],
    showsErrors: true,
    onDone: ({ changeId }) => {
      notify({ text: 'Prepared. Nothing has changed yet.' });
      router.go(changeHref(changeId));
    },
  });
  const initial = {
    when: 'confirmed',
    validFrom: '',
    reason: before === null ? '' : 'Go back to an earlier version',
    ...Object.fromEntries(
      brandValueNames.map(name => [name, (isFixed(name) ? undefined : before?.find(each => each.name === name)?.value) ?? inForce(name)]),
    ),
  } as Values;
  const changedIn = (values: Values): BrandValueName[] => brandValueNames.filter(name => values[name].trim() !== inForce(name));
  const form = useForm(brand.prepareBrandChange.body, initial, {
    name: 'brand',
    toBody: values => ({
      validFrom: values.when === 'day' ? values.validFrom : null,
      reason: values.reason,
      values: changedIn(values).map(name => ({ name, value: values[name] })),
    }),
    ifEmpty: { validFrom: 'Choose the day on which it takes effect', reason: 'Enter the reason, such as: The board decided on a new name' },
    fieldAt: (place, values) => {
      const index = /^values\.(\d+)/.exec(place)?.[1];
      // Without a changed value there is nothing to send: the first field says so.
      return index !== undefined ? changedIn(values)[Number(index)]! : place === 'values' ? 'registryName' : place;
    },
    check: values =>
      Object.fromEntries(
        changedIn(values).flatMap(name => {
          const problem = brandProblem(name, values[name].trim(), boundsOf(name));
          return problem === null ? [] : [[name, problem]];
        }),
      ),
    change: prepare,
    send: body => prepare.mutate({ body }),
  });
  return (
    <Page
      title="Prepare a change of the brand"
      sub="Nothing changes yet. The next page previews it on real pages, and a second person confirms it there."
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskBrand.title, href: pages.deskBrand.path },
            { label: 'Prepare a change' },
          ]}
        />
      }
    >
      <Form form={form} label="Prepare a change of the brand" bare onClose={() => router.go(pages.deskBrand.path)}>
        <Stack gap={16}>
          <FormProblems form={form} />
          {(Object.keys(brandGroups) as BrandGroup[]).map(group => (
            <Sheet key={group} title={brandGroups[group]}>
              <div className={styles.fields}>
                {brandValueNames
                  .filter(name => brandValues[name].group === group)
                  .map(name => (
                    <ValueField key={name} form={form} name={name} fixed={isFixed(name)} />
                  ))}
              </div>
            </Sheet>
          ))}
          <When form={form} desk={desk} />
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy}>
              Preview it
            </Button>
            <Button onClick={() => router.go(pages.deskBrand.path)}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </Form>
    </Page>
  );
}

type Part = { form: FormState<Values>; name: BrandValueName; fixed: boolean };

function ValueField({ form, name, fixed }: Part) {
  const { title, help, ifEmpty } = brandRow(name);
  if (isLogo(name))
    return (
      <LogoField
        name={name}
        value={form.values[name]}
        fixed={fixed}
        field={form.field(name)}
        onChange={value => form.set({ [name]: value })}
      />
    );
  const words = fixed ? 'Fixed in the profile file.' : ifEmpty === undefined ? help : `${help} If it is empty, ${ifEmpty}.`;
  const field = (
    <Field label={title} optional={ifEmpty !== undefined} help={words} {...form.field(name)}>
      <TextInput disabled={fixed} {...form.input(name)} />
    </Field>
  );
  return isAccent(name) ? (
    <div className={styles.accent}>
      {field}
      <Accent form={form} name={name} fixed={fixed} />
    </div>
  ) : (
    field
  );
}

/** A colour to choose, how it looks, and the nearest one that can be read. */
function Accent({ form, name, fixed }: Part & { name: keyof typeof accentThemes }) {
  const theme = accentThemes[name];
  const text = form.values[name];
  const colour = readColour(text);
  const nearest = colour !== null && !isReadable(colour, theme) ? nearestReadable(colour, theme) : null;
  return (
    <>
      <div className={styles.pick}>
        <input
          type="color"
          className={styles.picker}
          aria-label={`Choose: ${brandRow(name).title}`}
          disabled={fixed}
          value={colour ?? usualAccent[theme]}
          onChange={({ target }) => form.set({ [name]: target.value })}
        />
        <Colour theme={theme} value={text} />
      </div>
      {nearest !== null && (
        <Button size="s" onClick={() => form.set({ [name]: nearest })}>
          Use {nearest}, the nearest that passes
        </Button>
      )}
    </>
  );
}

function When({ form, desk }: { form: FormState<Values>; desk: BrandDesk }) {
  return (
    <Sheet title="When and why">
      <Stack gap={16}>
        <Segmented
          label="Takes effect"
          value={form.values.when}
          options={[
            { value: 'confirmed', label: 'When it is confirmed' },
            { value: 'day', label: 'On a day' },
          ]}
          onChange={when => form.set({ when })}
        />
        {form.values.when === 'day' && (
          <div className={styles.fields}>
            <Field label="Takes effect on" help={`From the beginning of this day in ${desk.timeZone}.`} {...form.field('validFrom')}>
              <DateInput min={daysAfter(desk.today, 1)} {...form.input('validFrom')} />
            </Field>
          </div>
        )}
        <Field label="Reason" help="The second person and auditors read it." {...form.field('reason')}>
          <TextArea rows={3} {...form.input('reason')} />
        </Field>
      </Stack>
    </Sheet>
  );
}
