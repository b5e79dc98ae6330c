import { Chip, formatCount, Row } from '@portal/ui';
import styles from './ClassChips.module.css';

/** Classes of whois objects to choose from, each with how many objects it has where that is known. */
export function ClassChips<Class extends string>({
  legend,
  classes,
  chosen,
  onChange,
}: {
  legend: string;
  classes: readonly { name: Class; objects?: number }[];
  chosen: readonly Class[];
  onChange: (chosen: Class[]) => void;
}) {
  return (
    <fieldset className={styles.classes}>
      <legend className="small strong">{legend}</legend>
      <Row gap={6} wrap>
        {classes.map(({ name, objects }) => (
          <Chip
            key={name}
            pressed={chosen.includes(name)}
            {...(objects !== undefined && { value: formatCount(objects) })}
            onClick={() => onChange(chosen.includes(name) ? chosen.filter(each => each !== name) : [...chosen, name])}
          >
            {name}
          </Chip>
        ))}
      </Row>
    </fieldset>
  );
}
