/** Functions that answer null for no arguments but null ones. Operators are functions too. */
const plain = new Set(
  (
    'int4pl int8pl int4mi int8mi int4mul int8mul int4div int8div int84pl int48pl int84mi int48mi int84mul int48mul int84div int48div int2pl int42pl int24pl ' +
    'numeric_add numeric_sub numeric_mul numeric_div numeric_uminus int4mod int8mod numeric_mod int4um int8um float8pl float8mi float8mul float8div ' +
    'int4abs int8abs abs textcat anytextcat textanycat lower upper length char_length octet_length to_char md5 sha256 encode decode convert_to trim btrim ltrim rtrim ' +
    'repeat replace left right lpad rpad split_part translate initcap reverse concat concat_ws format starts_with regexp_replace quote_literal quote_ident ' +
    'host masklen family text network broadcast netmask set_masklen abbrev inetpl inetmi inetmi_int8 inet_merge ' +
    'date_trunc date_part extract make_interval make_date age timestamptz date timestamp timezone now clock_timestamp transaction_timestamp statement_timestamp ' +
    'date_pli date_mii date_mi date_pl_interval date_mi_interval timestamptz_pl_interval timestamptz_mi_interval timestamp_pl_interval timestamp_mi_interval timestamptz_mi timestamp_mi interval_pl interval_mi interval_mul mul_d_interval justify_days ' +
    'int4 int8 int2 float8 float4 numeric bool oid round trunc ceil ceiling floor power sqrt mod div sign random ' +
    'array_to_string string_to_array array_append array_cat array_prepend array_remove cardinality array_positions ' +
    'to_json to_jsonb json_build_object jsonb_build_object json_build_array jsonb_build_array jsonb_set jsonb_concat jsonb_delete jsonb_pretty row_to_json array_to_json jsonb_strip_nulls ' +
    'gen_random_uuid gen_random_bytes hashtext hashtextextended int4range int8range numrange tstzrange daterange range_contains int8range ' +
    'count row_number rank dense_rank nextval pg_try_advisory_xact_lock pg_current_xact_id num_nulls num_nonnulls pg_relation_size pg_total_relation_size to_timestamp generate_series jsonb_array_elements json_array_elements ' +
    'jsonb_object_keys string_to_table regexp_split_to_table regexp_split_to_array similarity cidr inet bytea_cat byteacat get_byte set_byte xidrecv pg_backend_pid current_database current_setting pg_database_size'
  ).split(/\s+/),
);
/** Aggregates that answer null only for groups without rows or of null values, `of values` where nulls among the values count too. */
export const aggregates = new Map<string, 'of values' | 'of rows'>([
  ...['min', 'max', 'sum', 'avg', 'bool_and', 'bool_or', 'every', 'string_agg', 'bit_or', 'bit_and', 'range_agg'].map(
    name => [name, 'of values'] as const,
  ),
  ...['array_agg', 'json_agg', 'jsonb_agg', 'json_object_agg', 'jsonb_object_agg'].map(name => [name, 'of rows'] as const),
]);

/** Whether a function answers null for no arguments but null ones. */
export const isPlain = ({ name, compares }: { name: string; compares: boolean }): boolean => compares || plain.has(name);
