-- One transfer is recorded once, however its reference was typed.

-- What makes two references the same: capital letters and digits without spaces, dashes and other signs, full-width and accented forms as plain
-- ones, and Cyrillic and Greek letters that look like Latin ones as those.
create function transfer_key(reference text) returns text language sql immutable strict parallel safe
  return coalesce(nullif(translate(upper((regexp_replace(normalize(reference, NFKD),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u02b0-\u036f\u2000-\u206f\u2212\u2500-\u257f\u2e00-\u2e7f\u3000-\u303f\u30fb\u30fc\ufe00-\ufe0f\ufeff]',
      '', 'g')) collate "C"),
    'АВЕІЈКМНОРСЅТУХҮавеіјкмнорсѕтухүΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχı٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯',
    'ABEIJKMHOPCSTYXYABEIJKMHOPCSTYXYABEZHIKMNOPTYXABEZHIKMNOPTYXI0123456789012345678901234567890123456789'), ''), lower(reference));

-- What makes two references look the same: letters and digits that are easily confused are one.
create function transfer_skeleton(reference text) returns text language sql immutable strict parallel safe
  return translate(transfer_key(reference), 'OQILSBZ', '0011582');

create index payment_alike on payment (transfer_skeleton(reference)) where method = 'bank transfer';
