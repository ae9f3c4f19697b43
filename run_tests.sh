cd /work/scratch/recipe/dev; PYTHONPATH=/work/scratch/recipe/dev/src OMP_NUM_THREADS=2 GLOG_v=3 timeout ${T:-500} /work/recipe/.venv/bin/python -m pytest -q -p no:cacheprovider "$@"
