# Runs zonemaster-cli for many zones, and reads its programs once: half of what a zone costs. Each zone has a process of its own, forked from this one, which
# finds nothing of another zone in memory.
# Arguments: a file with a JSON list of command lines, how many run at a time, and a folder. What each prints is there under its place in the list.
use 5.14.2;
use warnings;
use autodie;
use JSON::PP qw(decode_json);
use Zonemaster::CLI;

my ( $file, $at_once, $folder ) = @ARGV;
open my $in, '<', $file;
my $commands = decode_json( join '', <$in> );
close $in;

my ( $running, $failed ) = ( 0, 0 );

sub wait_for_one {
    wait;
    $running--;
    $failed ||= $? != 0;
}

for my $place ( 0 .. $#{$commands} ) {
    wait_for_one() if $running == $at_once;
    if ( fork == 0 ) {
        open STDOUT, '>', "$folder/$place";
        @ARGV = @{ $commands->[$place] };
        Zonemaster::CLI->new_with_options->run;
        exit 0;
    }
    $running++;
}
wait_for_one() while $running > 0;
exit $failed;
