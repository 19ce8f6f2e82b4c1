"""What is kept beside a position while random games are played: rows, groups, pools."""
