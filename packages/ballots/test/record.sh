#!/usr/bin/env bash
# Records an election in which all is made by belenios-tool 2.0 (Debian package belenios-tool), for the tests of what we read:
#   test/record.sh    writes test/recorded/*
set -euo pipefail
recorded="$(cd "$(dirname "$0")" && pwd)/recorded"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"

uuid=$(belenios-tool setup generate-token)
made=(--uuid "$uuid" --group BELENIOS-2048)
printf '%s\n' 'one@example.net,,1' 'two@example.net,,4' 'three@example.net,,64' 'four@example.net,,2' 'five@example.net,,1' >voters.txt
belenios-tool setup generate-credentials "${made[@]}" --file voters.txt >credentials.out
mv ./*.pubcreds public_creds.json
mv ./*.privcreds private_creds.txt

keygen() { belenios-tool setup generate-trustee-key-threshold --group BELENIOS-2048 "$@" 2>/dev/null; }
for _ in 1 2 3; do keygen --step 1; done
cat ./*.cert >certs.jsons
for key in *.key; do keygen --certs certs.jsons --key "$key" --step 3 --threshold 2; done >polynomials.jsons
keygen --certs certs.jsons --step 4 --polynomials polynomials.jsons
for key in *.key; do keygen --certs certs.jsons --key "$key" --step 5 <"${key%.key}.vinput" >"${key%.key}.voutput"; done
cat ./*.voutput | keygen --certs certs.jsons --step 6 --polynomials polynomials.jsons >threshold.json
belenios-tool setup generate-trustee-key --group BELENIOS-2048 >/dev/null
cat ./*.pubkey >public_keys.jsons
belenios-tool setup make-trustees
cp threshold.json threshold.kept && rm threshold.json

cat >template.json <<'JSON'
{"description":"Recorded for tests: “ä” is two bytes.","name":"Council","questions":[{"answers":["Ana","Bo","Chidi"],"min":0,"max":2,"question":"Two seats"},{"answers":["Yes","No"],"blank":true,"min":1,"max":1,"question":"Resolution 1"}],"administrator":"Registry","credential_authority":"Auditor"}
JSON
belenios-tool setup make-election "${made[@]}" --template template.json
belenios-tool archive init >/dev/null
printf '%s\n' '[[1,0,1],[0,1,0]]' '[[0,0,0],[1,0,0]]' '[[0,1,0],[0,0,1]]' '[[1,1,0],[0,1,0]]' >votes.txt
cat private_creds.txt | cut -d' ' -f2 | head -4 | paste - votes.txt | while read -r credential vote; do
  belenios-tool election generate-ballot --privcred <(echo "$credential") --ballot <(echo "$vote") 2>/dev/null | belenios-tool archive add-event --type=Ballot
done
belenios-tool archive add-event --type=EndBallots </dev/null
belenios-tool election compute-encrypted-tally | belenios-tool archive add-event --type=EncryptedTally
place=2
for key in *.key; do
  if [ $place -lt 4 ]; then
    belenios-tool election decrypt-threshold --key "$key" --decryption-key "${key%.key}.dkey" --trustee-id $place 2>/dev/null | belenios-tool archive add-event --type=PartialDecryption
  fi
  place=$((place + 1))
done
belenios-tool election decrypt --privkey ./*.privkey --trustee-id 1 2>/dev/null | belenios-tool archive add-event --type=PartialDecryption
belenios-tool election compute-result 2>/dev/null | belenios-tool archive add-event --type=Result
belenios-tool election verify

mkdir -p "$recorded"
cp "$uuid.bel" "$recorded/election.bel"
tar -xOf "$uuid.bel" "$(tar -tf "$uuid.bel" | sed -n 4p)" >"$recorded/public_creds.txt"
echo "$uuid" >"$recorded/uuid.txt"
for each in certs.jsons polynomials.jsons private_creds.txt; do cp $each "$recorded/$each"; done
cp threshold.kept "$recorded/threshold.txt"
tail -n1 credentials.out | awk '{print $NF}' >"$recorded/credentials-fingerprint.txt"
for kind in key vinput voutput dkey; do for each in *.$kind; do cat "$each" && { [ -z "$(tail -c1 "$each")" ] || echo; }; done >"$recorded/$kind.lines"; done
cat ./*.privkey >"$recorded/privkey.txt"
chmod u+w "$recorded"/*
